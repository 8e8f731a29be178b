-- Receivers that tenants registered. The tables of deliveries know an endpoint by seq, which keeps their hot index small.
create table webhook_endpoints (
  id uuid primary key,
  seq bigint generated always as identity unique,
  tenant_id uuid not null,
  name text not null,
  url text not null check (length(url) <= 2048),
  event_types text[] not null check (cardinality(event_types) >= 1),
  active boolean not null default true,
  secret_sealed bytea not null,
  secret_prefix text not null,
  -- Deliveries under way at once, and attempts a second, over all workers; null: as many as go well.
  max_in_flight smallint check (max_in_flight >= 1),
  max_rate real check (max_rate > 0),
  -- Header values may be credentials, so they are sealed as a whole; only their names can be read.
  headers_sealed bytea,
  header_names text[] not null default '{}',
  -- Disabled by itself after so many days without a success; null: never.
  auto_disable_days smallint check (auto_disable_days between 1 and 60),
  -- Why it was disabled by itself; null when it was not.
  disabled_reason text,
  active_since timestamptz default now(),
  -- When it was disabled: events of these times were meant for it and not sent.
  pauses tstzmultirange not null default '{}',
  -- Test deliveries in the running minute.
  tests_used smallint not null default 0,
  tests_end_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index webhook_endpoints_of_tenant on webhook_endpoints (tenant_id, created_at) where deleted_at is null;
select protect_table('webhook_endpoints');

-- Deliveries that have not ended: Pending, pRocessing, Failed. Each row is written by its event's transaction, without
-- foreign keys, whose checks would make every change lock its endpoint. A row under way names the worker that has it
-- and the number of its claim; an outcome counts only for the claim that it belongs to. Set aside: run_at = infinity.
create table webhook_deliveries (
  id bigint generated always as identity primary key,
  tenant_id uuid not null,
  event_id uuid not null,
  event_created_at timestamptz not null,
  event_type text not null,
  endpoint_seq bigint not null,
  status "char" not null default 'p' check (status in ('p', 'r', 'f')),
  attempts smallint not null default 0 check (attempts between 0 and 9),
  interruptions smallint not null default 0,
  -- Not now(): a row of a long transaction would be due before it could be seen.
  run_at timestamptz not null default clock_timestamp(),
  lease_by integer,
  claim_no bigint,
  last_error text,
  -- A delivery of an event that was delivered, or given up, before.
  replay_of bigint,
  created_at timestamptz not null default clock_timestamp(),
  check ((status = 'r') = (lease_by is not null and claim_no is not null)),
  check ((status = 'p') <= (attempts = 0) and (status = 'f') <= (attempts > 0))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000,
        autovacuum_vacuum_cost_delay = 0);
create index webhook_deliveries_due on webhook_deliveries (endpoint_seq, run_at) where status in ('p', 'f');
create index webhook_deliveries_under_way on webhook_deliveries (endpoint_seq) where status = 'r';
select protect_table('webhook_deliveries');

create sequence webhook_claims;
grant usage on webhook_claims to rollcall_system;

-- What workers know of an endpoint beyond what its tenant said: whether it answers quickly, as last seen, so that a
-- restart need not find out again; and, where it has a max_rate, until when its attempts have been given out.
create table webhook_pulses (
  endpoint_seq bigint primary key,
  tenant_id uuid not null,
  is_quick boolean,
  given_until timestamptz
) with (fillfactor = 50);
select protect_table('webhook_pulses');

-- Due deliveries are looked for from where the last look ended, because before that lie the index entries of all that
-- ended, for as long as some transaction can still see them. A row that a look could not see was written by a
-- transaction that was open then, and is due no earlier than that transaction began: no look may end later than this.
-- The tenth of a second is for one that had begun and written nothing.
create function webhook_horizon() returns timestamptz
  language sql volatile security definer set search_path = pg_catalog as $$
  select least(min(xact_start), clock_timestamp() - interval '100 ms')
  from pg_stat_get_activity(null) where backend_xid is not null
    and datid = (select oid from pg_database where datname = current_database())
$$;
revoke execute on function webhook_horizon() from public;
grant execute on function webhook_horizon() to rollcall_system;

-- Deliveries that have ended: Delivered, or dead letter (x).
create table webhook_delivery_log (
  id bigint not null,
  tenant_id uuid not null,
  event_id uuid not null,
  event_created_at timestamptz not null,
  event_type text not null,
  endpoint_seq bigint not null,
  status "char" not null check (status in ('d', 'x')),
  attempts smallint not null,
  last_error text,
  replay_of bigint,
  created_at timestamptz not null,
  finished_at timestamptz not null default now()
) partition by range (finished_at);
create index webhook_delivery_log_newest on webhook_delivery_log (endpoint_seq, created_at desc);
-- Ids and instants grow with the rows, so a summary of each stretch finds them, and costs the writers next to nothing.
create index webhook_delivery_log_by_id on webhook_delivery_log using brin (id) with (pages_per_range = 16);
create index webhook_delivery_log_by_event on webhook_delivery_log
  using brin (event_created_at timestamptz_minmax_multi_ops) with (pages_per_range = 16);
create table webhook_delivery_log_otherwise partition of webhook_delivery_log default;
alter table webhook_delivery_log_otherwise enable row level security;
select protect_table('webhook_delivery_log');
select keep_daily_partitions('webhook_delivery_log', 90);

-- Every attempt: its number within the delivery, and the HTTP status or the fault. The excerpt of an answer is kept as
-- bytes: it may be anything.
create table webhook_attempts (
  delivery_id bigint not null,
  tenant_id uuid not null,
  n smallint not null,
  started_at timestamptz not null,
  ms integer,
  phase text, -- how far it got: dns, connect, tls, send, wait, read
  status smallint,
  fault text,
  excerpt bytea
) partition by range (started_at);
create index webhook_attempts_of_delivery on webhook_attempts (delivery_id);
create table webhook_attempts_otherwise partition of webhook_attempts default;
alter table webhook_attempts_otherwise enable row level security;
select protect_table('webhook_attempts');
select keep_daily_partitions('webhook_attempts', 90);

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

-- Processes that deliver; of the installation, not of a tenant. A living one holds the advisory lock of its id.
create table webhook_workers (
  id integer generated always as identity primary key,
  host text not null,
  started_at timestamptz not null default clock_timestamp(),
  beat_at timestamptz not null default clock_timestamp()
);
grant select, insert, update, delete on webhook_workers to rollcall_system;
