CREATE TABLE "silence_checks" (
	"bssid" text collate "C" PRIMARY KEY NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "silence_checks" ADD CONSTRAINT "silence_checks_bssid_device_twins_bssid_fk" FOREIGN KEY ("bssid") REFERENCES "public"."device_twins"("bssid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "silence_checks_due" ON "silence_checks" USING btree ("due_at");--> statement-breakpoint
-- Each online device gets a new version every few minutes.
alter table silence_checks set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.1, autovacuum_analyze_scale_factor = 0.2);
--> statement-breakpoint
-- When a device is silent depends on when the server began to listen, so the first check computes it.
create function check_silence() returns trigger language plpgsql as $$
begin
  insert into silence_checks (bssid, due_at) values (new.bssid, '-infinity')
    on conflict (bssid) do update set due_at = excluded.due_at;
  return null;
end
$$;
--> statement-breakpoint
create trigger check_new_twin after insert on device_twins for each row when (new.offline_at is null)
  execute function check_silence();
--> statement-breakpoint
-- A device that is back, or that reports more often than before, so that its silence shows earlier.
create trigger check_twin after update of offline_at, report_interval on device_twins for each row
  when (new.offline_at is null and (old.offline_at is not null or new.report_interval < old.report_interval))
  execute function check_silence();
--> statement-breakpoint
insert into silence_checks (bssid, due_at) select bssid, '-infinity' from device_twins where offline_at is null;
