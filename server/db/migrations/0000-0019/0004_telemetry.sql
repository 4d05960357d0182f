CREATE TABLE "device_alarms" (
	"bssid" text collate "C" NOT NULL,
	"type" text NOT NULL,
	"subject" text collate "C" DEFAULT '' NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "device_alarms_bssid_type_subject_pk" PRIMARY KEY("bssid","type","subject")
);
--> statement-breakpoint
CREATE TABLE "notification_counts" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "notification_counts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"vendor_id" text collate "C" NOT NULL,
	"type" text collate "C" NOT NULL,
	"count" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notifications" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"bssid" text collate "C" NOT NULL,
	"vendor_id" text collate "C" NOT NULL,
	"type" text collate "C" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"values" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "device_twins" (
	"bssid" text collate "C" PRIMARY KEY NOT NULL,
	"reported_status" smallint,
	"report_interval" integer DEFAULT 30 NOT NULL,
	"heard_at" timestamp (3) with time zone,
	"offline_at" timestamp (3) with time zone,
	"state_at" timestamp (3) with time zone,
	"reading_at" timestamp (3) with time zone,
	"feed" double precision DEFAULT 0 NOT NULL,
	"permeate" double precision DEFAULT 0 NOT NULL,
	"waste" double precision DEFAULT 0 NOT NULL,
	"rejection_rate" double precision,
	"recovery_rate" double precision,
	"temperature" double precision,
	"pressure" double precision,
	"feed_tds" double precision,
	"permeate_tds" double precision,
	"synced" boolean DEFAULT true NOT NULL
);
--> statement-breakpoint
CREATE TABLE "forgotten_devices" (
	"bssid" text collate "C" PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reading_days" (
	"bssid" text collate "C" NOT NULL,
	"zone" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"readings" integer DEFAULT 0 NOT NULL,
	"feed" double precision DEFAULT 0 NOT NULL,
	"permeate" double precision DEFAULT 0 NOT NULL,
	"production_sum" double precision DEFAULT 0 NOT NULL,
	"production_count" integer DEFAULT 0 NOT NULL,
	"feed_tds_sum" double precision DEFAULT 0 NOT NULL,
	"feed_tds_count" integer DEFAULT 0 NOT NULL,
	"permeate_tds_sum" double precision DEFAULT 0 NOT NULL,
	"permeate_tds_count" integer DEFAULT 0 NOT NULL,
	"pressure_sum" double precision DEFAULT 0 NOT NULL,
	"pressure_count" integer DEFAULT 0 NOT NULL,
	"temperature_sum" double precision DEFAULT 0 NOT NULL,
	"temperature_count" integer DEFAULT 0 NOT NULL,
	"flow_at" timestamp (3) with time zone,
	"last_feed_flow" double precision,
	"last_permeate_flow" double precision,
	CONSTRAINT "reading_days_bssid_zone_at_pk" PRIMARY KEY("bssid","zone","at")
);
--> statement-breakpoint
CREATE TABLE "reading_hours" (
	"bssid" text collate "C" NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"readings" integer DEFAULT 0 NOT NULL,
	"feed" double precision DEFAULT 0 NOT NULL,
	"permeate" double precision DEFAULT 0 NOT NULL,
	"production_sum" double precision DEFAULT 0 NOT NULL,
	"production_count" integer DEFAULT 0 NOT NULL,
	"feed_tds_sum" double precision DEFAULT 0 NOT NULL,
	"feed_tds_count" integer DEFAULT 0 NOT NULL,
	"permeate_tds_sum" double precision DEFAULT 0 NOT NULL,
	"permeate_tds_count" integer DEFAULT 0 NOT NULL,
	"pressure_sum" double precision DEFAULT 0 NOT NULL,
	"pressure_count" integer DEFAULT 0 NOT NULL,
	"temperature_sum" double precision DEFAULT 0 NOT NULL,
	"temperature_count" integer DEFAULT 0 NOT NULL,
	"flow_at" timestamp (3) with time zone,
	"last_feed_flow" double precision,
	"last_permeate_flow" double precision,
	CONSTRAINT "reading_hours_bssid_at_pk" PRIMARY KEY("bssid","at")
);
--> statement-breakpoint
CREATE TABLE "reading_ten_minutes" (
	"bssid" text collate "C" NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"readings" integer DEFAULT 0 NOT NULL,
	"feed" double precision DEFAULT 0 NOT NULL,
	"permeate" double precision DEFAULT 0 NOT NULL,
	"production_sum" double precision DEFAULT 0 NOT NULL,
	"production_count" integer DEFAULT 0 NOT NULL,
	"feed_tds_sum" double precision DEFAULT 0 NOT NULL,
	"feed_tds_count" integer DEFAULT 0 NOT NULL,
	"permeate_tds_sum" double precision DEFAULT 0 NOT NULL,
	"permeate_tds_count" integer DEFAULT 0 NOT NULL,
	"pressure_sum" double precision DEFAULT 0 NOT NULL,
	"pressure_count" integer DEFAULT 0 NOT NULL,
	"temperature_sum" double precision DEFAULT 0 NOT NULL,
	"temperature_count" integer DEFAULT 0 NOT NULL,
	"flow_at" timestamp (3) with time zone,
	"last_feed_flow" double precision,
	"last_permeate_flow" double precision,
	CONSTRAINT "reading_ten_minutes_bssid_at_pk" PRIMARY KEY("bssid","at")
);
--> statement-breakpoint
CREATE TABLE "readings" (
	"bssid" text collate "C" NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"feed" real NOT NULL,
	"permeate" real NOT NULL,
	"feed_flow" real,
	"permeate_flow" real,
	"feed_tds" real,
	"permeate_tds" real,
	"pressure" real,
	"temperature" real,
	CONSTRAINT "readings_bssid_at_pk" PRIMARY KEY("bssid","at")
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE TABLE "upkeep_tasks" (
	"task" text PRIMARY KEY NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "device_commands" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"bssid" text collate "C" NOT NULL,
	"command" jsonb NOT NULL,
	"state" text DEFAULT 'sent' NOT NULL,
	"reason" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "device_credentials" (
	"bssid" text collate "C" PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "device_cartridges" ADD COLUMN "volume_before" double precision DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "device_alarms" ADD CONSTRAINT "device_alarms_bssid_devices_bssid_fk" FOREIGN KEY ("bssid") REFERENCES "public"."devices"("bssid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_bssid_devices_bssid_fk" FOREIGN KEY ("bssid") REFERENCES "public"."devices"("bssid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_twins" ADD CONSTRAINT "device_twins_bssid_devices_bssid_fk" FOREIGN KEY ("bssid") REFERENCES "public"."devices"("bssid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_commands" ADD CONSTRAINT "device_commands_bssid_devices_bssid_fk" FOREIGN KEY ("bssid") REFERENCES "public"."devices"("bssid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_credentials" ADD CONSTRAINT "device_credentials_bssid_devices_bssid_fk" FOREIGN KEY ("bssid") REFERENCES "public"."devices"("bssid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notification_counts_group" ON "notification_counts" USING btree ("vendor_id","type");--> statement-breakpoint
CREATE INDEX "notifications_newest" ON "notifications" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "notifications_of_type" ON "notifications" USING btree ("type","created_at","id");--> statement-breakpoint
CREATE INDEX "notifications_of_vendor" ON "notifications" USING btree ("vendor_id","created_at","id");--> statement-breakpoint
CREATE INDEX "notifications_of_vendor_and_type" ON "notifications" USING btree ("vendor_id","type","created_at","id");--> statement-breakpoint
CREATE INDEX "notifications_of_device" ON "notifications" USING btree ("bssid","created_at","id");--> statement-breakpoint
CREATE INDEX "device_twins_unsynced" ON "device_twins" USING btree ("bssid") WHERE not "device_twins"."synced";--> statement-breakpoint
CREATE INDEX "device_commands_of" ON "device_commands" USING btree ("bssid","created_at");--> statement-breakpoint
CREATE INDEX "device_commands_open" ON "device_commands" USING btree ("expires_at") WHERE "device_commands"."state" = 'sent';--> statement-breakpoint
CREATE INDEX "device_commands_age" ON "device_commands" USING btree ("created_at");--> statement-breakpoint
-- The litres of a cartridge are computed from its device's lifetime litres, so readings need not update them.
update device_cartridges set volume_before =
  (case when cartridge_types.type = 0 then devices.feed else devices.permeate end) - device_cartridges.total
from devices, cartridge_types
where devices.bssid = device_cartridges.bssid and cartridge_types.id = device_cartridges.cartridge_type_id;
--> statement-breakpoint
alter table device_cartridges drop column total;
--> statement-breakpoint
-- Updated with every message: free space in each page allows updates that do not change an index.
alter table device_twins set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
--> statement-breakpoint
alter table reading_ten_minutes set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
--> statement-breakpoint
alter table reading_hours set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
--> statement-breakpoint
create function add_device_twins() returns trigger language plpgsql as $$
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
  insert into device_twins (bssid, reported_status, heard_at, offline_at, reading_at, feed, permeate, waste,
    rejection_rate, recovery_rate, temperature, pressure, feed_tds, permeate_tds)
  select bssid, nullif(status, 3), last_active, case when status = 3 then coalesce(last_active, created_at) end,
    null, feed, permeate, waste,
    rejection_rate, recovery_rate, temperature, pressure, feed_tds, permeate_tds
  from added
  on conflict do nothing;
  return null;
end
$$;
--> statement-breakpoint
create trigger add_twins after insert on devices referencing new table as added
  for each statement execute function add_device_twins();
--> statement-breakpoint
-- A deleted device may have millions of rows, so they are deleted later, in batches.
create function forget_devices() returns trigger language plpgsql as $$
begin
  insert into forgotten_devices (bssid) select bssid from gone on conflict do nothing;
  return null;
end
$$;
--> statement-breakpoint
create trigger forget_devices after delete on devices referencing old table as gone
  for each statement execute function forget_devices();
--> statement-breakpoint
insert into device_twins (bssid, reported_status, heard_at, offline_at, feed, permeate, waste,
    rejection_rate, recovery_rate, temperature, pressure, feed_tds, permeate_tds)
  select bssid, nullif(status, 3), last_active, case when status = 3 then coalesce(last_active, created_at) end,
    feed, permeate, waste,
    rejection_rate, recovery_rate, temperature, pressure, feed_tds, permeate_tds
  from devices
  on conflict do nothing;
--> statement-breakpoint
create function count_notification_group(vendor text, kind text, change integer) returns void language plpgsql as $$
begin
  update notification_counts set count = count + change where id = (
    select id from notification_counts where vendor_id = vendor and type = kind limit 1 for update skip locked);
  if not found then
    insert into notification_counts (vendor_id, type, count) values (vendor, kind, change);
  end if;
end
$$;
--> statement-breakpoint
create function count_notifications() returns trigger language plpgsql as $$
begin
  case tg_op
    when 'INSERT' then
      perform count_notification_group(vendor_id, type, n)
      from (select vendor_id, type, count(*)::integer as n from added group by 1, 2) as change;
    when 'DELETE' then
      perform count_notification_group(vendor_id, type, n)
      from (select vendor_id, type, -count(*)::integer as n from removed group by 1, 2) as change;
    when 'UPDATE' then
      perform count_notification_group(vendor_id, type, n)
      from (select vendor_id, type, sum(one)::integer as n
            from (select vendor_id, type, 1 as one from added
                  union all
                  select vendor_id, type, -1 from removed) as moved
            group by 1, 2 having sum(one) <> 0) as change;
    when 'TRUNCATE' then
      delete from notification_counts;
  end case;
  return null;
end
$$;
--> statement-breakpoint
create trigger count_inserted after insert on notifications referencing new table as added
  for each statement execute function count_notifications();
--> statement-breakpoint
create trigger count_deleted after delete on notifications referencing old table as removed
  for each statement execute function count_notifications();
--> statement-breakpoint
create trigger count_updated after update on notifications referencing old table as removed new table as added
  for each statement execute function count_notifications();
--> statement-breakpoint
create trigger count_truncated after truncate on notifications
  for each statement execute function count_notifications();
--> statement-breakpoint
-- Notifications of a device belong to its current vendor.
create function move_notifications() returns trigger language plpgsql as $$
begin
  update notifications set vendor_id = new.vendor_id where bssid = new.bssid;
  return null;
end
$$;
--> statement-breakpoint
create trigger move_notifications after update of vendor_id on devices for each row
  when (old.vendor_id <> new.vendor_id) execute function move_notifications();
