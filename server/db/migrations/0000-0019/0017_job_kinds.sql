CREATE TABLE "job_ids" (
	"job_id" text collate "C" PRIMARY KEY NOT NULL,
	"bssids" text[] NOT NULL
);
--> statement-breakpoint
ALTER TABLE "job_ids" ADD CONSTRAINT "job_ids_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "open_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "next_look_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "lease_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "job_tasks" ADD COLUMN "acknowledged_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "job_tasks" ADD COLUMN "was_updating" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "job_tasks" ADD COLUMN "online_since" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "job_tasks_reasons" ON "job_tasks" USING btree ("job_id","reason","bssid") WHERE "job_tasks"."reason" is not null;--> statement-breakpoint
CREATE INDEX "jobs_ended" ON "jobs" USING btree ("ended_at");
