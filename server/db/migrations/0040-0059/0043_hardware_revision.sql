ALTER TABLE "devices" ADD COLUMN "hardware_revision" text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE "devices" ADD COLUMN "hardware_revision_key" text collate "C" GENERATED ALWAYS AS (lower("hardware_revision" collate "pg_c_utf8")) STORED NOT NULL;
--> statement-breakpoint
CREATE INDEX "devices_by_hardware_revision" ON "devices" USING btree ("hardware_revision_key","bssid","vendor_id");
