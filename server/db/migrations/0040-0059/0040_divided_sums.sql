-- The sums of telemetry are partitioned like the readings. Existing sums stay where they are: their table becomes the first
-- partition, up to the end of the week, 30 or 360 days of the newest sum (server/telemetry/partitionDays.ts), and is dropped or
-- kept like any other. Nothing is copied, but PostgreSQL reads each table twice: for its newest row, and to check that all
-- rows are in the partition. New partitions have no fillfactor, because a sum is written once and not with each of its
-- readings.
do $$
declare
  sums record;
  earlier text;
  newest timestamptz;
  length interval;
begin
  for sums in select * from (values
    ('reading_ten_minutes', 'bssid, at', 'bssid_at', 7),
    ('reading_hours', 'bssid, at', 'bssid_at', 30),
    ('reading_days', 'bssid, zone, at', 'bssid_zone_at', 360)
  ) as listed (name, key, key_name, days)
  loop
    earlier := sums.name || '_earlier';
    length := sums.days * interval '24 hours';
    execute format('select max(at) from %I', sums.name) into newest;
    execute format('alter table %I rename to %I', sums.name, earlier);
    execute format('alter table %I rename constraint %I to %I', earlier, format('%s_%s_pk', sums.name, sums.key_name),
      format('%s_%s_pk', earlier, sums.key_name));
    execute format('create table %I (like %I including defaults, constraint %I primary key (%s)) partition by range (at)',
      sums.name, earlier, format('%s_%s_pk', sums.name, sums.key_name), sums.key);
    if newest is null then
      execute format('drop table %I', earlier);
    else
      execute format('alter table %I attach partition %I for values from (minvalue) to (%L)',
        sums.name, earlier, date_bin(length, newest, timestamptz '1970-01-01 00:00Z') + length);
    end if;
  end loop;
end
$$;
