CREATE TABLE "kept_forecasts" (
	"bssid" text collate "C" NOT NULL,
	"position" smallint NOT NULL,
	"installed_at" timestamp (3) with time zone NOT NULL,
	"horizon" smallint NOT NULL,
	"kind" smallint NOT NULL,
	"made_at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"early_at" timestamp (3) with time zone NOT NULL,
	"late_at" timestamp (3) with time zone NOT NULL,
	"basis" text NOT NULL,
	"typical" boolean NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"replaced_early" boolean,
	"inside" boolean,
	"score" real,
	CONSTRAINT "kept_forecasts_bssid_position_installed_at_horizon_pk" PRIMARY KEY("bssid","position","installed_at","horizon")
);
--> statement-breakpoint
CREATE TABLE "forecast_scores" (
	"vendor_id" text collate "C" NOT NULL,
	"kind" smallint NOT NULL,
	"basis" text NOT NULL,
	"outcomes" integer DEFAULT 0 NOT NULL,
	"inside" integer DEFAULT 0 NOT NULL,
	"replaced_early" integer DEFAULT 0 NOT NULL,
	"scores" real[] NOT NULL,
	"level" double precision NOT NULL,
	CONSTRAINT "forecast_scores_vendor_id_kind_basis_pk" PRIMARY KEY("vendor_id","kind","basis")
);
--> statement-breakpoint
ALTER TABLE "health_days" ADD COLUMN "days" smallint DEFAULT 1 NOT NULL;
--> statement-breakpoint
ALTER TABLE "device_health" ADD COLUMN "weeks_to" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "kept_forecasts" ADD CONSTRAINT "kept_forecasts_bssid_devices_bssid_fk" FOREIGN KEY ("bssid") REFERENCES "public"."devices"("bssid") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "forecast_scores" ADD CONSTRAINT "forecast_scores_vendor_id_accounts_id_fk" FOREIGN KEY ("vendor_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "kept_forecasts_ended" ON "kept_forecasts" USING btree ("ended_at");
--> statement-breakpoint
CREATE INDEX "device_health_weeks" ON "device_health" USING btree ("weeks_to","bssid");
--> statement-breakpoint
create or replace function move_device_values() returns trigger language plpgsql as $$
begin
  update device_values set vendor_id = new.vendor_id where bssid = new.bssid;
  update health_findings set vendor_id = new.vendor_id where bssid = new.bssid;
  -- They were made with the outcomes of the vendor before.
  delete from kept_forecasts where bssid = new.bssid;
  return null;
end
$$;
