ALTER TABLE "devices" ADD COLUMN "water_supply" text;--> statement-breakpoint
ALTER TABLE "devices" ADD COLUMN "water_supply_key" text collate "C" GENERATED ALWAYS AS (lower("water_supply" collate "pg_c_utf8")) STORED;--> statement-breakpoint
CREATE INDEX "devices_by_water_supply" ON "devices" USING btree ("water_supply_key","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "devices_water_supply_search" ON "devices" USING gin ("water_supply_key" gin_trgm_ops);
