CREATE TABLE "device_counts" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "device_counts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"vendor_id" text collate "C" NOT NULL,
	"model_id" text collate "C" NOT NULL,
	"filtration_system_id" text collate "C",
	"count" integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX "device_counts_group" ON "device_counts" USING btree ("vendor_id","model_id","filtration_system_id");--> statement-breakpoint
create function count_device_group(vendor text, model text, system text, change integer) returns void language plpgsql as $$
begin
  update device_counts set count = count + change where id = (
    select id from device_counts
    where vendor_id = vendor and model_id = model and filtration_system_id is not distinct from system
    limit 1 for update skip locked);
  if not found then
    insert into device_counts (vendor_id, model_id, filtration_system_id, count) values (vendor, model, system, change);
  end if;
end
$$;
--> statement-breakpoint
create function count_devices() returns trigger language plpgsql as $$
begin
  case tg_op
    when 'INSERT' then
      perform count_device_group(vendor_id, model_id, filtration_system_id, n)
      from (select vendor_id, model_id, filtration_system_id, count(*)::integer as n
            from added group by 1, 2, 3) as change;
    when 'DELETE' then
      perform count_device_group(vendor_id, model_id, filtration_system_id, n)
      from (select vendor_id, model_id, filtration_system_id, -count(*)::integer as n
            from removed group by 1, 2, 3) as change;
    when 'UPDATE' then
      perform count_device_group(vendor_id, model_id, filtration_system_id, n)
      from (select vendor_id, model_id, filtration_system_id, sum(one)::integer as n
            from (select vendor_id, model_id, filtration_system_id, 1 as one from added
                  union all
                  select vendor_id, model_id, filtration_system_id, -1 from removed) as moved
            group by 1, 2, 3 having sum(one) <> 0) as change;
    when 'TRUNCATE' then
      delete from device_counts;
  end case;
  return null;
end
$$;
--> statement-breakpoint
create trigger count_inserted after insert on devices referencing new table as added
  for each statement execute function count_devices();
--> statement-breakpoint
create trigger count_deleted after delete on devices referencing old table as removed
  for each statement execute function count_devices();
--> statement-breakpoint
create trigger count_updated after update on devices referencing old table as removed new table as added
  for each statement execute function count_devices();
--> statement-breakpoint
create trigger count_truncated after truncate on devices
  for each statement execute function count_devices();
--> statement-breakpoint
insert into device_counts (vendor_id, model_id, filtration_system_id, count)
  select vendor_id, model_id, filtration_system_id, count(*) from devices group by 1, 2, 3;
--> statement-breakpoint
-- Devices report continuously: with the default of a fifth of all rows, lists would be slow long before a vacuum.
alter table devices set (autovacuum_vacuum_scale_factor = 0.02);
