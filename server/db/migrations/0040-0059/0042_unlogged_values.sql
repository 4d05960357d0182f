-- The table repeats what device twins say, and the server fills it again after a crash of the database. Unlogged, a reading
-- writes nothing of it and its indexes to the write-ahead log. Indexes are made anew, because updating them for each row takes
-- ten times as long.
drop index device_values_by_last_active, device_values_by_rejection_rate, device_values_by_recovery_rate, device_values_by_temperature, device_values_by_pressure, device_values_by_feed_tds, device_values_by_permeate_tds, device_values_by_feed, device_values_by_permeate, device_values_by_waste;
--> statement-breakpoint
-- A device changes its status with every draw of water, which wrote all indexes of what people set.
ALTER TABLE "device_values" ADD COLUMN "status" smallint DEFAULT 3 NOT NULL;
--> statement-breakpoint
update device_values set status = devices.status from devices
  where devices.bssid = device_values.bssid and devices.status <> 3;
--> statement-breakpoint
alter table device_values set unlogged;
--> statement-breakpoint
CREATE INDEX "device_values_by_last_active" ON "device_values" USING btree ("last_active","bssid","vendor_id");
--> statement-breakpoint
CREATE INDEX "device_values_by_rejection_rate" ON "device_values" USING btree ("rejection_rate","bssid","vendor_id");
--> statement-breakpoint
CREATE INDEX "device_values_by_recovery_rate" ON "device_values" USING btree ("recovery_rate","bssid","vendor_id");
--> statement-breakpoint
CREATE INDEX "device_values_by_temperature" ON "device_values" USING btree ("temperature","bssid","vendor_id");
--> statement-breakpoint
CREATE INDEX "device_values_by_pressure" ON "device_values" USING btree ("pressure","bssid","vendor_id");
--> statement-breakpoint
CREATE INDEX "device_values_by_feed_tds" ON "device_values" USING btree ("feed_tds","bssid","vendor_id");
--> statement-breakpoint
CREATE INDEX "device_values_by_permeate_tds" ON "device_values" USING btree ("permeate_tds","bssid","vendor_id");
--> statement-breakpoint
CREATE INDEX "device_values_by_feed" ON "device_values" USING btree ("feed","bssid","vendor_id");
--> statement-breakpoint
CREATE INDEX "device_values_by_permeate" ON "device_values" USING btree ("permeate","bssid","vendor_id");
--> statement-breakpoint
CREATE INDEX "device_values_by_waste" ON "device_values" USING btree ("waste","bssid","vendor_id");
--> statement-breakpoint
CREATE INDEX "device_values_by_status" ON "device_values" USING btree ("status","bssid","vendor_id");
--> statement-breakpoint
-- Its index goes with it.
ALTER TABLE "devices" DROP COLUMN "status";
--> statement-breakpoint
CREATE UNLOGGED TABLE "device_values_filled" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL
);
--> statement-breakpoint
insert into device_values_filled default values;
--> statement-breakpoint
create or replace function add_device_twins() returns trigger language plpgsql as $$
begin
  -- A deleted device that is created again starts without its old telemetry.
  perform from forgotten_devices natural join added order by bssid for update of forgotten_devices;
  if found then
    delete from readings using forgotten_devices natural join added where readings.bssid = added.bssid;
    delete from reading_ten_minutes using forgotten_devices natural join added
      where reading_ten_minutes.bssid = added.bssid;
    delete from reading_hours using forgotten_devices natural join added where reading_hours.bssid = added.bssid;
    delete from reading_days using forgotten_devices natural join added where reading_days.bssid = added.bssid;
    delete from health_days using forgotten_devices natural join added where health_days.bssid = added.bssid;
    -- Telemetry in another place is removed later; until then the row says that it is not the new device's.
    delete from forgotten_devices using added, telemetry_state
      where forgotten_devices.bssid = added.bssid and telemetry_state.place = 'postgres';
  end if;
  -- Offline until it sends its first message.
  insert into device_twins (bssid, offline_at) select bssid, created_at from added
  on conflict do nothing;
  insert into device_values (bssid, vendor_id) select bssid, vendor_id from added
  on conflict do nothing;
  insert into device_health (bssid) select bssid from added
  on conflict do nothing;
  return null;
end
$$;
--> statement-breakpoint
analyze device_values;
