ALTER TABLE "devices" ADD COLUMN "chlorine_guard" smallint DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE INDEX "devices_by_chlorine_guard" ON "devices" USING btree ("chlorine_guard","bssid","vendor_id");
