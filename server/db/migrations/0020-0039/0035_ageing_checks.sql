CREATE TABLE "ageing_checks" (
	"bssid" text collate "C" PRIMARY KEY NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ageing_checks" ADD CONSTRAINT "ageing_checks_bssid_devices_bssid_fk" FOREIGN KEY ("bssid") REFERENCES "public"."devices"("bssid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ageing_checks_due" ON "ageing_checks" USING btree ("due_at");--> statement-breakpoint
alter table ageing_checks set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.1, autovacuum_analyze_scale_factor = 0.2);
--> statement-breakpoint
-- Makes the checks of devices due. They are locked in one order, so that two changes never wait for each other.
create function check_ageing(which text[], at timestamptz) returns void language plpgsql as $$
begin
  perform from ageing_checks where bssid = any(which) and due_at > at order by bssid for update;
  update ageing_checks set due_at = at where bssid = any(which) and due_at > at;
end
$$;
--> statement-breakpoint
create function add_ageing_checks() returns trigger language plpgsql as $$
begin
  insert into ageing_checks (bssid, due_at) select bssid, '-infinity' from added on conflict do nothing;
  return null;
end
$$;
--> statement-breakpoint
create trigger add_ageing_checks after insert on devices referencing new table as added
  for each statement execute function add_ageing_checks();
--> statement-breakpoint
create function check_installed_firmware() returns trigger language plpgsql as $$
begin
  perform check_ageing(array[new.bssid], '-infinity');
  return null;
end
$$;
--> statement-breakpoint
create trigger check_installed_firmware after update of firmware, platform on devices for each row
  when (old.firmware <> new.firmware or old.platform <> new.platform) execute function check_installed_firmware();
--> statement-breakpoint
create function check_cartridges() returns trigger language plpgsql as $$
begin
  perform check_ageing(array(select distinct bssid from changed), '-infinity');
  return null;
end
$$;
--> statement-breakpoint
create trigger check_fitted_cartridges after insert on device_cartridges referencing new table as changed
  for each statement execute function check_cartridges();
--> statement-breakpoint
create trigger check_changed_cartridges after update on device_cartridges referencing new table as changed
  for each statement execute function check_cartridges();
--> statement-breakpoint
create trigger check_removed_cartridges after delete on device_cartridges referencing old table as changed
  for each statement execute function check_cartridges();
--> statement-breakpoint
create function check_cartridge_type() returns trigger language plpgsql as $$
begin
  perform check_ageing(array(select distinct bssid from device_cartridges where cartridge_type_id = new.id), '-infinity');
  return null;
end
$$;
--> statement-breakpoint
create trigger check_cartridge_type after update of type, ttl, resource on cartridge_types for each row
  when (old.type <> new.type or old.ttl <> new.ttl or old.resource <> new.resource)
  execute function check_cartridge_type();
--> statement-breakpoint
create function check_released_firmware() returns trigger language plpgsql as $$
begin
  perform check_ageing(array(select bssid from devices where platform = new.platform), new.released_at);
  return null;
end
$$;
--> statement-breakpoint
create trigger check_released_firmware after insert or update on firmware_versions for each row
  execute function check_released_firmware();
--> statement-breakpoint
insert into ageing_checks (bssid, due_at) select bssid, '-infinity' from devices;
