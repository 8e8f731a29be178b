-- What a tenant may set on a receiver beyond where it is. Header values may be credentials, so they are sealed as a
-- whole; only their names can be read.
alter table webhook_endpoints
  add column headers_sealed bytea,
  add column header_names text[] not null default '{}',
  -- Disabled by itself after so many days without a success; null: never.
  add column auto_disable_days smallint check (auto_disable_days between 1 and 60),
  -- Why it was disabled by itself; null when it was not.
  add column disabled_reason text,
  add column active_since timestamptz default now(),
  -- When it was disabled: events of these times were meant for it and not sent.
  add column pauses tstzmultirange not null default '{}',
  -- Test deliveries in the running minute.
  add column tests_used smallint not null default 0,
  add column tests_end_at timestamptz not null default now();

-- A delivery of an event that was delivered, or given up, before.
alter table webhook_deliveries add column replay_of bigint;
alter table webhook_delivery_log add column replay_of bigint;

-- How far an attempt got: dns, connect, tls, send, wait, read.
alter table webhook_attempts add column phase text;

-- Ids and instants grow with the rows, so a summary of each stretch finds them, and costs the writers next to nothing.
create index webhook_delivery_log_by_id on webhook_delivery_log using brin (id) with (pages_per_range = 16);
create index webhook_delivery_log_by_event on webhook_delivery_log
  using brin (event_created_at timestamptz_minmax_multi_ops) with (pages_per_range = 16);

-- Orders to send again what happened in a time. A row is the cursor of its walk: events up to it have their delivery.
create table webhook_replays (
  id uuid primary key,
  tenant_id uuid not null,
  endpoint_seq bigint not null,
  since timestamptz not null,
  until timestamptz not null,
  only_missed boolean not null,
  cursor_at timestamptz not null,
  cursor_id uuid not null default '00000000-0000-0000-0000-000000000000',
  deliveries integer not null default 0,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index webhook_replays_of_endpoint on webhook_replays (endpoint_seq, created_at);
select protect_table('webhook_replays');

-- As before, and rows that were written while the upkeep was neglected, which lie in the default partition, grow old
-- like the others.
create or replace function keep_daily_partitions(parent regclass, kept_days integer) returns void
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
