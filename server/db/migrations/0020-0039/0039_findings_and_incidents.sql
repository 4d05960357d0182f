ALTER TABLE "health_findings" ADD COLUMN "description" text DEFAULT '' NOT NULL;
--> statement-breakpoint
update health_findings set description = devices.description from devices
  where devices.bssid = health_findings.bssid and devices.description <> '';
--> statement-breakpoint
ALTER TABLE "health_findings" ADD COLUMN "description_key" text collate "C" GENERATED ALWAYS AS (lower("description" collate "pg_c_utf8")) STORED NOT NULL;
--> statement-breakpoint
CREATE INDEX "health_findings_open_newest" ON "health_findings" USING btree ("detected_at","id") WHERE "health_findings"."state" = 'open';
--> statement-breakpoint
CREATE INDEX "health_findings_by_description" ON "health_findings" USING btree ("description_key","id","vendor_id");
--> statement-breakpoint
CREATE INDEX "health_findings_description_search" ON "health_findings" USING gin ("description_key" gin_trgm_ops);
--> statement-breakpoint
create function describe_findings() returns trigger language plpgsql as $$
begin
  update health_findings set description = new.description where bssid = new.bssid;
  return null;
end
$$;
--> statement-breakpoint
create trigger describe_findings after update of description on devices for each row
  when (old.description <> new.description) execute function describe_findings();
--> statement-breakpoint
ALTER TABLE "supply_incidents" ADD COLUMN "told_at" timestamp (3) with time zone DEFAULT now() NOT NULL;
--> statement-breakpoint
-- A change is found when half a week of days shows it; the step runs an hour after the last of them.
update supply_incidents set told_at = least(now(), began_at + interval '97 hours');
--> statement-breakpoint
CREATE INDEX "supply_incidents_told" ON "supply_incidents" USING btree ("told_at");
--> statement-breakpoint
ALTER TABLE "incidents" ADD COLUMN "storm_id" text collate "C";
--> statement-breakpoint
CREATE INDEX "incidents_of_storm" ON "incidents" USING btree ("storm_id") WHERE "incidents"."storm_id" is not null;
--> statement-breakpoint
-- Another incident of a storm takes the place of the first one when that is deleted.
create function pass_on_storm() returns trigger language plpgsql as $$
begin
  update incidents set storm_id = (
    select id from incidents where storm_id = old.id order by began_at, id limit 1
  ) where storm_id = old.id;
  return null;
end
$$;
--> statement-breakpoint
create trigger pass_on_storm after delete on incidents for each row
  when (old.storm_id = old.id) execute function pass_on_storm();
--> statement-breakpoint
ALTER TABLE "health_findings" ADD COLUMN "claimed_cause" text collate "C";
--> statement-breakpoint
ALTER TABLE "health_findings" ADD COLUMN "claimed_confidence" real;
--> statement-breakpoint
update health_findings set claimed_cause = cause, claimed_confidence = confidence;
--> statement-breakpoint
ALTER TABLE "health_findings" ALTER COLUMN "claimed_cause" SET NOT NULL;
--> statement-breakpoint
ALTER TABLE "health_findings" ALTER COLUMN "claimed_confidence" SET NOT NULL;
--> statement-breakpoint
CREATE INDEX "health_findings_judged" ON "health_findings" USING btree ("claimed_cause","verdict","claimed_confidence") WHERE "health_findings"."verdict" is not null;
