ALTER TABLE "device_health" ADD COLUMN "earlier_day" integer;
--> statement-breakpoint
ALTER TABLE "baseline_resets" ALTER COLUMN "state" DROP NOT NULL;
--> statement-breakpoint
CREATE INDEX "baseline_resets_with_state" ON "baseline_resets" USING btree ("reset_at") WHERE "baseline_resets"."state" is not null;
