CREATE TABLE "event_devices" (
	"event_id" text collate "C" NOT NULL,
	"bssid" text collate "C" NOT NULL,
	CONSTRAINT "event_devices_event_id_bssid_pk" PRIMARY KEY("event_id","bssid")
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"description" text NOT NULL,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "notifications_seen_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "devices" ADD COLUMN "time_zone" text;--> statement-breakpoint
ALTER TABLE "devices" ADD COLUMN "time_zone_key" text collate "C" GENERATED ALWAYS AS (lower("time_zone" collate "pg_c_utf8")) STORED;--> statement-breakpoint
ALTER TABLE "event_devices" ADD CONSTRAINT "event_devices_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_devices" ADD CONSTRAINT "event_devices_bssid_devices_bssid_fk" FOREIGN KEY ("bssid") REFERENCES "public"."devices"("bssid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "event_devices_of_device" ON "event_devices" USING btree ("bssid","event_id");--> statement-breakpoint
CREATE INDEX "events_span" ON "events" USING gist (tstzrange("starts_at", "ends_at", '[]'));--> statement-breakpoint
CREATE INDEX "devices_by_time_zone" ON "devices" USING btree ("time_zone_key","bssid","vendor_id");--> statement-breakpoint
-- Deletes an event with its last device.
create function remove_events_without_devices() returns trigger language plpgsql as $$
begin
  -- Locked, so that of concurrent deletes of the last devices, the later one sees that none remains.
  perform from events where id in (select event_id from gone) order by id for update;
  delete from events where id in (select event_id from gone)
    and not exists (select from event_devices where event_id = events.id);
  return null;
end
$$;
--> statement-breakpoint
create trigger remove_events_without_devices after delete on event_devices referencing old table as gone
  for each statement execute function remove_events_without_devices();
