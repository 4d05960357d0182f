CREATE TABLE "device_values" (
	"bssid" text collate "C" PRIMARY KEY NOT NULL,
	"vendor_id" text collate "C" NOT NULL,
	"last_active" timestamp (3) with time zone,
	"rejection_rate" double precision,
	"recovery_rate" double precision,
	"temperature" double precision,
	"pressure" double precision,
	"feed_tds" double precision,
	"permeate_tds" double precision,
	"feed" double precision DEFAULT 0 NOT NULL,
	"permeate" double precision DEFAULT 0 NOT NULL,
	"waste" double precision DEFAULT 0 NOT NULL
);
--> statement-breakpoint
insert into device_values (bssid, vendor_id, last_active, rejection_rate, recovery_rate, temperature, pressure, feed_tds,
    permeate_tds, feed, permeate, waste)
  select bssid, vendor_id, last_active, rejection_rate, recovery_rate, temperature, pressure, feed_tds,
    permeate_tds, feed, permeate, waste
  from devices;
--> statement-breakpoint
ALTER TABLE "device_values" ADD CONSTRAINT "device_values_bssid_devices_bssid_fk" FOREIGN KEY ("bssid") REFERENCES "public"."devices"("bssid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "device_values_by_last_active" ON "device_values" USING btree ("last_active","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "device_values_by_rejection_rate" ON "device_values" USING btree ("rejection_rate","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "device_values_by_recovery_rate" ON "device_values" USING btree ("recovery_rate","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "device_values_by_temperature" ON "device_values" USING btree ("temperature","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "device_values_by_pressure" ON "device_values" USING btree ("pressure","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "device_values_by_feed_tds" ON "device_values" USING btree ("feed_tds","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "device_values_by_permeate_tds" ON "device_values" USING btree ("permeate_tds","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "device_values_by_feed" ON "device_values" USING btree ("feed","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "device_values_by_permeate" ON "device_values" USING btree ("permeate","bssid","vendor_id");--> statement-breakpoint
CREATE INDEX "device_values_by_waste" ON "device_values" USING btree ("waste","bssid","vendor_id");--> statement-breakpoint
-- Their indexes go with them.
alter table devices
  drop column last_active,
  drop column rejection_rate,
  drop column recovery_rate,
  drop column temperature,
  drop column pressure,
  drop column feed_tds,
  drop column permeate_tds,
  drop column feed,
  drop column permeate,
  drop column waste;
--> statement-breakpoint
-- Updated all the time: with the default of a fifth of all rows, lists would be slow long before a vacuum.
alter table device_values set (autovacuum_vacuum_scale_factor = 0.02);
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
    delete from forgotten_devices using added where forgotten_devices.bssid = added.bssid;
  end if;
  insert into device_twins (bssid, reported_status, offline_at)
  select bssid, nullif(status, 3), case when status = 3 then created_at end from added
  on conflict do nothing;
  insert into device_values (bssid, vendor_id) select bssid, vendor_id from added
  on conflict do nothing;
  return null;
end
$$;
--> statement-breakpoint
create function move_device_values() returns trigger language plpgsql as $$
begin
  update device_values set vendor_id = new.vendor_id where bssid = new.bssid;
  return null;
end
$$;
--> statement-breakpoint
create trigger move_values after update of vendor_id on devices for each row
  when (old.vendor_id <> new.vendor_id) execute function move_device_values();
--> statement-breakpoint
analyze device_values;
