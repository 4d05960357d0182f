CREATE TABLE "job_tasks" (
	"job_id" text collate "C" NOT NULL,
	"bssid" text collate "C" NOT NULL,
	"wave" smallint NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"reason" text,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone,
	"input" jsonb,
	"before" jsonb,
	"command_id" text,
	"sent_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "job_tasks_job_id_bssid_pk" PRIMARY KEY("job_id","bssid")
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"parent_id" text collate "C",
	"kind" text,
	"account_id" text NOT NULL,
	"login" text NOT NULL,
	"vendor_id" text,
	"command" text NOT NULL,
	"input" jsonb NOT NULL,
	"total" integer NOT NULL,
	"target" jsonb NOT NULL,
	"policy" jsonb NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"queued" integer DEFAULT 0 NOT NULL,
	"sent" integer DEFAULT 0 NOT NULL,
	"waiting" integer DEFAULT 0 NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"refused" integer DEFAULT 0 NOT NULL,
	"unanswered" integer DEFAULT 0 NOT NULL,
	"skipped" integer DEFAULT 0 NOT NULL,
	"expired" integer DEFAULT 0 NOT NULL,
	"cancelled" integer DEFAULT 0 NOT NULL,
	"waves" smallint NOT NULL,
	"wave" smallint DEFAULT -1 NOT NULL,
	"wave_open" integer DEFAULT 0 NOT NULL,
	"wave_ended" integer DEFAULT 0 NOT NULL,
	"wave_failed" integer DEFAULT 0 NOT NULL,
	"wave_at" timestamp (3) with time zone,
	"next_wave_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"start_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "job_tasks" ADD CONSTRAINT "job_tasks_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "job_tasks_due" ON "job_tasks" USING btree ("due_at") WHERE "job_tasks"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "job_tasks_of_device" ON "job_tasks" USING btree ("bssid","job_id");--> statement-breakpoint
CREATE INDEX "job_tasks_list" ON "job_tasks" USING btree ("job_id","state","bssid");--> statement-breakpoint
CREATE UNIQUE INDEX "job_tasks_sent" ON "job_tasks" USING btree ("bssid") WHERE "job_tasks"."state" = 'sent';--> statement-breakpoint
CREATE INDEX "jobs_active" ON "jobs" USING btree ("id") WHERE "jobs"."state" <> 'ended';--> statement-breakpoint
CREATE INDEX "jobs_of_vendor" ON "jobs" USING btree ("vendor_id","id");--> statement-breakpoint
CREATE INDEX "jobs_age" ON "jobs" USING btree ("created_at");--> statement-breakpoint
-- Adds changes of counts, `[{job_id, wave, state, n}]`, to the rows of their jobs. The rows are locked first, in one order, so
-- that the wave is read once nobody can change it, and statements of several servers do not deadlock.
create function count_job_states(changes jsonb) returns void language plpgsql as $$
begin
  perform from jobs where id in (select job_id from jsonb_to_recordset(changes) as c (job_id text))
    order by id for update;
  update jobs set
    queued = jobs.queued + coalesce(change.queued, 0), sent = jobs.sent + coalesce(change.sent, 0),
    waiting = jobs.waiting + coalesce(change.waiting, 0), done = jobs.done + coalesce(change.done, 0),
    refused = jobs.refused + coalesce(change.refused, 0), unanswered = jobs.unanswered + coalesce(change.unanswered, 0),
    skipped = jobs.skipped + coalesce(change.skipped, 0), expired = jobs.expired + coalesce(change.expired, 0),
    cancelled = jobs.cancelled + coalesce(change.cancelled, 0),
    wave_open = jobs.wave_open + coalesce(change.wave_open, 0), wave_ended = jobs.wave_ended + coalesce(change.wave_ended, 0),
    wave_failed = jobs.wave_failed + coalesce(change.wave_failed, 0)
  from (
    select c.job_id, sum(n) filter (where c.state = 'queued') as queued, sum(n) filter (where c.state = 'sent') as sent,
      sum(n) filter (where c.state = 'waiting') as waiting, sum(n) filter (where c.state = 'done') as done,
      sum(n) filter (where c.state = 'refused') as refused, sum(n) filter (where c.state = 'unanswered') as unanswered,
      sum(n) filter (where c.state = 'skipped') as skipped, sum(n) filter (where c.state = 'expired') as expired,
      sum(n) filter (where c.state = 'cancelled') as cancelled,
      sum(n) filter (where c.wave = job.wave and c.state in ('queued', 'sent')) as wave_open,
      sum(n) filter (where c.wave = job.wave and c.state in ('done', 'refused', 'unanswered')) as wave_ended,
      sum(n) filter (where c.wave = job.wave and c.state in ('refused', 'unanswered')) as wave_failed
    from jsonb_to_recordset(changes) as c (job_id text, wave smallint, state text, n integer)
    join jobs as job on job.id = c.job_id
    group by c.job_id
  ) as change
  where jobs.id = change.job_id;
end
$$;
--> statement-breakpoint
create function count_job_tasks() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform count_job_states(jsonb_agg(change)) from (
      select job_id, wave, state, count(*) as n from added group by 1, 2, 3) as change;
  else
    perform count_job_states(jsonb_agg(change)) from (
      select job_id, wave, state, sum(one) as n
      from (select job_id, wave, state, 1 as one from added union all select job_id, wave, state, -1 from removed) as moved
      group by 1, 2, 3 having sum(one) <> 0) as change
    having count(*) > 0;
  end if;
  return null;
end
$$;
--> statement-breakpoint
create trigger count_inserted after insert on job_tasks referencing new table as added
  for each statement execute function count_job_tasks();
--> statement-breakpoint
create trigger count_updated after update on job_tasks referencing old table as removed new table as added
  for each statement execute function count_job_tasks();
--> statement-breakpoint
-- Tasks change a few times within a minute, and then never again.
alter table job_tasks set (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
