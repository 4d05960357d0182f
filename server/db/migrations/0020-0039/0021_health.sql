CREATE TABLE "cartridge_forecasts" (
	"bssid" text collate "C" NOT NULL,
	"position" smallint NOT NULL,
	"made_at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"early_at" timestamp (3) with time zone NOT NULL,
	"late_at" timestamp (3) with time zone NOT NULL,
	"basis" text NOT NULL,
	"typical" boolean NOT NULL,
	CONSTRAINT "cartridge_forecasts_bssid_position_pk" PRIMARY KEY("bssid","position")
);
--> statement-breakpoint
CREATE TABLE "device_health" (
	"bssid" text collate "C" PRIMARY KEY NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"supply_key" text collate "C" DEFAULT '' NOT NULL,
	"state" bytea,
	"day" integer,
	"baselines" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"levels" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"boosted" boolean DEFAULT false NOT NULL,
	"earlier_findings" integer DEFAULT 0 NOT NULL,
	"volumes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"shown" jsonb
);
--> statement-breakpoint
-- States are of some 2 KB and are written each day: compressing them would take longer than all else.
ALTER TABLE "device_health" SET (toast_tuple_target = 8160);
--> statement-breakpoint
CREATE TABLE "health_days" (
	"bssid" text collate "C" NOT NULL,
	"day" integer NOT NULL,
	"a_n" integer DEFAULT 0 NOT NULL,
	"a_sum" double precision DEFAULT 0 NOT NULL,
	"a_squares" double precision DEFAULT 0 NOT NULL,
	"b_n" integer DEFAULT 0 NOT NULL,
	"b_sum" double precision DEFAULT 0 NOT NULL,
	"b_squares" double precision DEFAULT 0 NOT NULL,
	"brief_n" integer DEFAULT 0 NOT NULL,
	"brief_sum" double precision DEFAULT 0 NOT NULL,
	"brief_squares" double precision DEFAULT 0 NOT NULL,
	"r_n" integer DEFAULT 0 NOT NULL,
	"r_sum" double precision DEFAULT 0 NOT NULL,
	"r_squares" double precision DEFAULT 0 NOT NULL,
	"h_n" integer DEFAULT 0 NOT NULL,
	"h_sum" double precision DEFAULT 0 NOT NULL,
	"h_squares" double precision DEFAULT 0 NOT NULL,
	"f_n" integer DEFAULT 0 NOT NULL,
	"f_sum" double precision DEFAULT 0 NOT NULL,
	"f_squares" double precision DEFAULT 0 NOT NULL,
	"p_n" integer DEFAULT 0 NOT NULL,
	"p_sum" double precision DEFAULT 0 NOT NULL,
	"p_squares" double precision DEFAULT 0 NOT NULL,
	"n" integer DEFAULT 0 NOT NULL,
	"temperature" double precision DEFAULT 0 NOT NULL,
	"feed" double precision DEFAULT 0 NOT NULL,
	"permeate" double precision DEFAULT 0 NOT NULL,
	"rest_litres" double precision DEFAULT 0 NOT NULL,
	"rest_hours" double precision DEFAULT 0 NOT NULL,
	"max_run" integer DEFAULT 0 NOT NULL,
	"metered" double precision DEFAULT 0 NOT NULL,
	"integrated" double precision DEFAULT 0 NOT NULL,
	"passages" integer DEFAULT 0 NOT NULL,
	"passage" double precision DEFAULT 0 NOT NULL,
	CONSTRAINT "health_days_bssid_day_pk" PRIMARY KEY("bssid","day")
);
--> statement-breakpoint
CREATE TABLE "health_findings" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"bssid" text collate "C" NOT NULL,
	"vendor_id" text collate "C" NOT NULL,
	"number" integer NOT NULL,
	"group" text NOT NULL,
	"cause" text collate "C" NOT NULL,
	"position" smallint,
	"severity" text NOT NULL,
	"tempo" text NOT NULL,
	"confidence" real NOT NULL,
	"alternatives" jsonb NOT NULL,
	"evidence" jsonb NOT NULL,
	"size" real NOT NULL,
	"detected_at" timestamp (3) with time zone NOT NULL,
	"began_early" timestamp (3) with time zone NOT NULL,
	"began_at" timestamp (3) with time zone NOT NULL,
	"began_late" timestamp (3) with time zone NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"shelved_until" timestamp (3) with time zone,
	"reason" text,
	"shelved_size" real,
	"verdict" text,
	"login" text,
	"ended_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "supply_days" (
	"supply_key" text collate "C" NOT NULL,
	"day" integer NOT NULL,
	"medians" jsonb NOT NULL,
	CONSTRAINT "supply_days_supply_key_day_pk" PRIMARY KEY("supply_key","day")
);
--> statement-breakpoint
CREATE TABLE "supply_incidents" (
	"supply_key" text collate "C" NOT NULL,
	"cause" text NOT NULL,
	"began_at" timestamp (3) with time zone NOT NULL,
	"vendor_id" text collate "C" NOT NULL,
	"water_supply" text,
	"value" real NOT NULL,
	"devices" integer NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "supply_incidents_supply_key_cause_began_at_pk" PRIMARY KEY("supply_key","cause","began_at")
);
--> statement-breakpoint
CREATE TABLE "membrane_fits" (
	"cartridge_type_id" text collate "C" PRIMARY KEY NOT NULL,
	"water_k" real NOT NULL,
	"salt_k" real NOT NULL,
	"fitted_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "devices" ADD COLUMN "health_score" smallint;
--> statement-breakpoint
ALTER TABLE "devices" ADD COLUMN "health_state" text DEFAULT 'learning' NOT NULL;
--> statement-breakpoint
ALTER TABLE "devices" ADD COLUMN "health_cause" text;
--> statement-breakpoint
ALTER TABLE "devices" ADD COLUMN "due_at" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "cartridge_forecasts" ADD CONSTRAINT "cartridge_forecasts_bssid_devices_bssid_fk" FOREIGN KEY ("bssid") REFERENCES "public"."devices"("bssid") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "device_health" ADD CONSTRAINT "device_health_bssid_devices_bssid_fk" FOREIGN KEY ("bssid") REFERENCES "public"."devices"("bssid") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "health_findings" ADD CONSTRAINT "health_findings_bssid_devices_bssid_fk" FOREIGN KEY ("bssid") REFERENCES "public"."devices"("bssid") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "membrane_fits" ADD CONSTRAINT "membrane_fits_cartridge_type_id_cartridge_types_id_fk" FOREIGN KEY ("cartridge_type_id") REFERENCES "public"."cartridge_types"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "devices_by_health_score" ON "devices" USING btree ("health_score","bssid","vendor_id");
--> statement-breakpoint
CREATE INDEX "devices_by_health_state" ON "devices" USING btree ("health_state","bssid","vendor_id");
--> statement-breakpoint
CREATE INDEX "devices_by_health_cause" ON "devices" USING btree ("health_cause","bssid","vendor_id");
--> statement-breakpoint
CREATE INDEX "devices_by_due_at" ON "devices" USING btree ("due_at","bssid","vendor_id");
--> statement-breakpoint
CREATE INDEX "device_health_due" ON "device_health" USING btree ("due_at","supply_key","bssid");
--> statement-breakpoint
CREATE UNIQUE INDEX "health_findings_of_device" ON "health_findings" USING btree ("bssid","number");
--> statement-breakpoint
CREATE INDEX "health_findings_newest" ON "health_findings" USING btree ("detected_at","id");
--> statement-breakpoint
CREATE INDEX "health_findings_of_vendor" ON "health_findings" USING btree ("vendor_id","detected_at","id");
--> statement-breakpoint
CREATE INDEX "health_findings_open" ON "health_findings" USING btree ("vendor_id","cause") WHERE "health_findings"."state" = 'open';
--> statement-breakpoint
CREATE INDEX "supply_incidents_of_vendor" ON "supply_incidents" USING btree ("vendor_id","began_at");
--> statement-breakpoint
insert into device_health (bssid) select bssid from devices;
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
    delete from forgotten_devices using added where forgotten_devices.bssid = added.bssid;
  end if;
  insert into device_twins (bssid, reported_status, offline_at)
  select bssid, nullif(status, 3), case when status = 3 then created_at end from added
  on conflict do nothing;
  insert into device_values (bssid, vendor_id) select bssid, vendor_id from added
  on conflict do nothing;
  insert into device_health (bssid) select bssid from added
  on conflict do nothing;
  return null;
end
$$;
--> statement-breakpoint
create or replace function move_device_values() returns trigger language plpgsql as $$
begin
  update device_values set vendor_id = new.vendor_id where bssid = new.bssid;
  update health_findings set vendor_id = new.vendor_id where bssid = new.bssid;
  return null;
end
$$;
