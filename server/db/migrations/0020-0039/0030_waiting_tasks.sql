ALTER TABLE "job_tasks" ADD COLUMN "waits_until" timestamp (3) with time zone;
--> statement-breakpoint
UPDATE "job_tasks" SET "waits_until" = "due_at" WHERE "state" = 'waiting';
