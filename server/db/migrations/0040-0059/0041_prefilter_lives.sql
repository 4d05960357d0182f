CREATE TABLE "prefilter_lives" (
	"bssid" text collate "C" NOT NULL,
	"installed_at" timestamp (3) with time zone NOT NULL,
	"volume_before" double precision NOT NULL,
	"litres" double precision,
	"clogged" boolean NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "prefilter_lives_bssid_installed_at_pk" PRIMARY KEY("bssid","installed_at")
);
--> statement-breakpoint
ALTER TABLE "prefilter_lives" ADD CONSTRAINT "prefilter_lives_bssid_devices_bssid_fk" FOREIGN KEY ("bssid") REFERENCES "public"."devices"("bssid") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "prefilter_lives_ended" ON "prefilter_lives" USING btree ("ended_at");
--> statement-breakpoint
CREATE INDEX "prefilter_lives_clogged" ON "prefilter_lives" USING btree ("bssid") WHERE "prefilter_lives"."clogged";
--> statement-breakpoint
CREATE INDEX "device_health_supply" ON "device_health" USING btree ("supply_key","bssid");
--> statement-breakpoint
ALTER TABLE "health_days" ADD COLUMN "flows" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "health_days" ADD COLUMN "flow" double precision DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "cartridge_forecasts" ADD COLUMN "like_ends" integer;
--> statement-breakpoint
ALTER TABLE "kept_forecasts" ADD COLUMN "like_ends" integer;
--> statement-breakpoint
create or replace function move_device_values() returns trigger language plpgsql as $$
begin
  update device_values set vendor_id = new.vendor_id where bssid = new.bssid;
  update health_findings set vendor_id = new.vendor_id where bssid = new.bssid;
  -- They were made with the outcomes of the vendor before.
  delete from kept_forecasts where bssid = new.bssid;
  -- They tell about the vendor before.
  delete from prefilter_lives where bssid = new.bssid;
  return null;
end
$$;
