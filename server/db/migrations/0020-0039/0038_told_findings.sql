ALTER TABLE "health_findings" ADD COLUMN "told_at" timestamp (3) with time zone;
--> statement-breakpoint
-- The step that found it ran an hour after the end of the local day, which is at most 14 hours from that of UTC.
update health_findings set told_at = least(updated_at, detected_at + interval '25 hours')
  where severity = 'act' and confidence >= 0.8;
--> statement-breakpoint
CREATE INDEX "health_findings_told" ON "health_findings" USING btree ("told_at") WHERE "health_findings"."state" = 'open';
