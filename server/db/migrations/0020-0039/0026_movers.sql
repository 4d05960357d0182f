ALTER TABLE "device_health" ADD COLUMN "scores" jsonb DEFAULT '[]'::jsonb NOT NULL;
--> statement-breakpoint
ALTER TABLE "devices" ADD COLUMN "health_change" smallint;
--> statement-breakpoint
CREATE INDEX "devices_by_health_change" ON "devices" USING btree ("health_change","bssid","vendor_id") WHERE "devices"."health_change" is not null;
