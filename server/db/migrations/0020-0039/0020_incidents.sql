CREATE TABLE "incidents" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"vendor_id" text collate "C" NOT NULL,
	"type" text collate "C" NOT NULL,
	"water_supply" text,
	"began_at" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"notifications" integer DEFAULT 0 NOT NULL,
	"devices" integer DEFAULT 0 NOT NULL,
	"open" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "device_alarms" ADD COLUMN "incident_id" text collate "C";--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "incident_id" text collate "C";--> statement-breakpoint
CREATE INDEX "incidents_newest" ON "incidents" USING btree ("began_at","id");--> statement-breakpoint
CREATE INDEX "incidents_of_vendor" ON "incidents" USING btree ("vendor_id","began_at","id");--> statement-breakpoint
CREATE INDEX "incidents_last" ON "incidents" USING btree ("last_at");--> statement-breakpoint
CREATE INDEX "incidents_recent" ON "incidents" USING btree ("vendor_id","type","last_at");--> statement-breakpoint
CREATE INDEX "device_alarms_of_incident" ON "device_alarms" USING btree ("incident_id") WHERE "device_alarms"."incident_id" is not null;--> statement-breakpoint
CREATE INDEX "notifications_of_incident" ON "notifications" USING btree ("incident_id","created_at","id") WHERE "notifications"."incident_id" is not null;--> statement-breakpoint
CREATE INDEX "notifications_single_newest" ON "notifications" USING btree ("created_at","id") WHERE "notifications"."incident_id" is null;--> statement-breakpoint
CREATE INDEX "notifications_single_of_type" ON "notifications" USING btree ("type","created_at","id") WHERE "notifications"."incident_id" is null;--> statement-breakpoint
CREATE INDEX "notifications_single_of_vendor" ON "notifications" USING btree ("vendor_id","created_at","id") WHERE "notifications"."incident_id" is null;--> statement-breakpoint
CREATE INDEX "notifications_single_of_vendor_and_type" ON "notifications" USING btree ("vendor_id","type","created_at","id") WHERE "notifications"."incident_id" is null;--> statement-breakpoint
-- Adds changes in the notifications of incidents, each of one device, to the counts of the incidents, and deletes those
-- without any.
create function count_incident_changes(changes json) returns void language plpgsql as $$
begin
  with change as (
    select incident_id, sum(n)::integer as n, sum((stored > 0)::integer - (stored - n > 0)::integer)::integer as devices
    from (
      select member.*, (
        select count(*) from notifications
        where notifications.bssid = member.bssid and notifications.incident_id = member.incident_id
      ) as stored
      from json_to_recordset(changes) as member (incident_id text, bssid text, n integer)
    ) as counted
    group by incident_id
  )
  update incidents set notifications = notifications + change.n, devices = incidents.devices + change.devices
  from change where id = incident_id;
  delete from incidents using json_to_recordset(changes) as member (incident_id text)
  where id = incident_id and notifications <= 0;
end
$$;
--> statement-breakpoint
create function count_incident_members() returns trigger language plpgsql as $$
begin
  case tg_op
    when 'DELETE' then
      perform count_incident_changes(json_agg(change))
      from (select incident_id, bssid, -count(*) as n from removed where incident_id is not null group by 1, 2) as change
      having count(*) > 0;
    when 'UPDATE' then
      perform count_incident_changes(json_agg(change))
      from (select incident_id, bssid, sum(one) as n
            from (select incident_id, bssid, 1 as one from added where incident_id is not null
                  union all
                  select incident_id, bssid, -1 from removed where incident_id is not null) as moved
            group by 1, 2 having sum(one) <> 0) as change
      having count(*) > 0;
    when 'TRUNCATE' then
      delete from incidents;
  end case;
  return null;
end
$$;
--> statement-breakpoint
create trigger count_incident_deleted after delete on notifications referencing old table as removed
  for each statement execute function count_incident_members();
--> statement-breakpoint
create trigger count_incident_updated after update on notifications referencing old table as removed new table as added
  for each statement execute function count_incident_members();
--> statement-breakpoint
create trigger count_incident_truncated after truncate on notifications
  for each statement execute function count_incident_members();
--> statement-breakpoint
-- Counts the conditions of incidents that last, and ends an incident with the last one.
create function count_open_conditions() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    update incidents set open = open - n, ended_at = case when open <= n then greatest(last_at, now()) end
    from (select incident_id, count(*)::integer as n from removed where incident_id is not null group by 1) as change
    where id = incident_id;
  else
    update incidents set open = open + n, ended_at = case when open + n <= 0 then greatest(last_at, now()) end
    from (select incident_id, sum(one)::integer as n
          from (select incident_id, 1 as one from added where incident_id is not null
                union all
                select incident_id, -1 from removed where incident_id is not null) as moved
          group by 1 having sum(one) <> 0) as change
    where id = incident_id;
  end if;
  return null;
end
$$;
--> statement-breakpoint
create trigger count_open_deleted after delete on device_alarms referencing old table as removed
  for each statement execute function count_open_conditions();
--> statement-breakpoint
create trigger count_open_updated after update on device_alarms referencing old table as removed new table as added
  for each statement execute function count_open_conditions();
--> statement-breakpoint
-- Notifications of a device belong to its current vendor, and incidents of the vendor before do not show them.
create or replace function move_notifications() returns trigger language plpgsql as $$
begin
  update device_alarms set incident_id = null where bssid = new.bssid and incident_id is not null;
  update notifications set vendor_id = new.vendor_id, incident_id = null where bssid = new.bssid;
  return null;
end
$$;
