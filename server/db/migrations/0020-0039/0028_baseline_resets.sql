CREATE TABLE "baseline_resets" (
	"bssid" text collate "C" NOT NULL,
	"reset_at" timestamp (3) with time zone NOT NULL,
	"state" "bytea" NOT NULL,
	"day" integer NOT NULL,
	"baselines" jsonb NOT NULL,
	"levels" jsonb NOT NULL,
	"findings" jsonb NOT NULL,
	"forecasts" jsonb NOT NULL,
	CONSTRAINT "baseline_resets_bssid_reset_at_pk" PRIMARY KEY("bssid","reset_at")
);
--> statement-breakpoint
ALTER TABLE "baseline_resets" ADD CONSTRAINT "baseline_resets_bssid_devices_bssid_fk" FOREIGN KEY ("bssid") REFERENCES "public"."devices"("bssid") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "baseline_resets_at" ON "baseline_resets" USING btree ("reset_at");
