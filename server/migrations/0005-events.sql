-- Daily partitions of a table partitioned by range of a timestamptz: made a week ahead, dropped when all of their
-- rows are older than kept_days. The engines may call it, though only the owner of the table could do what it does.
-- Rows of a day without a partition go to the default one, so that a neglected upkeep loses nothing; they grow old there
-- like the others.
create function keep_daily_partitions(parent regclass, kept_days integer) returns void
  language plpgsql security definer set search_path = pg_catalog, public set timezone = 'UTC' set lock_timeout = '5s'
  as $$
declare
  day date;
  partition_name text;
  key_column name;
begin
  perform pg_advisory_xact_lock(parent::oid::bigint);
  for day in select generate_series(current_date, current_date + 7, '1 day')::date loop
    partition_name := format('public.%I', parent::text || to_char(day, '_YYYYMMDD'));
    continue when to_regclass(partition_name) is not null;
    begin
      execute format('create table %s partition of %s for values from (%L) to (%L)', partition_name, parent, day, day + 1);
      execute format('alter table %s enable row level security', partition_name);
    exception when check_violation then
      raise warning '% stays in the default partition', partition_name;
    end;
  end loop;
  for partition_name in
    select inhrelid::regclass::text from pg_inherits
    where inhparent = parent and inhrelid::regclass::text ~ '_\d{8}$'
      and to_date(right(inhrelid::regclass::text, 8), 'YYYYMMDD') + 1 < current_date - kept_days
  loop
    execute format('drop table %s', partition_name);
  end loop;
  select attname into key_column
  from pg_partitioned_table p join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
  where p.partrelid = parent;
  execute format('delete from %I where %I < current_date - %s', parent::text || '_otherwise', key_column, kept_days);
end
$$;
revoke execute on function keep_daily_partitions(regclass, integer) from public;
grant execute on function keep_daily_partitions(regclass, integer) to rollcall_system;

-- What happened, as the exact bytes that are sent. Kept for a time, so that it can be sent again.
create table events (
  id uuid not null,
  tenant_id uuid not null,
  type text not null,
  body bytea not null,
  created_at timestamptz not null,
  primary key (created_at, id)
) partition by range (created_at);
create table events_otherwise partition of events default;
alter table events_otherwise enable row level security;
select protect_table('events');
select keep_daily_partitions('events', 30);
