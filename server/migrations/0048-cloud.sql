-- A source is known by its key. Its name may change, and two sources may have the same one.
alter table sources add column key text;
update sources set key = name;
alter table sources alter column key set not null;
alter table sources drop constraint sources_tenant_id_kind_name_key;
alter table sources add unique (tenant_id, kind, key);

-- An account, organisation or directory at a cloud provider that is read at intervals.
create table cloud_connections (
  tenant_id uuid not null,
  id uuid not null,
  provider text not null check (provider in ('AWS', 'Azure', 'GCP')),
  name text not null,
  -- How it signs in and what it reads: everything that may be shown again.
  settings jsonb not null,
  -- Sealed with SECRET_KEY; null where the way of signing in has no secret.
  secret_sealed bytea,
  is_enabled boolean not null default true,
  -- Why its accounts could not be listed when that was tried last; empty when they could.
  problem text not null default '',
  -- When its accounts were listed to the end.
  planned_at timestamptz,
  next_plan_at timestamptz not null,
  -- The time for which the latest planning was due: a repeat of its job knows itself by it.
  planning_for timestamptz,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
select protect_table('cloud_connections');

-- What is read as one: a type of resource in one region of one account. Only a run that was complete makes what it did
-- not see disappear. Scopes with the same `reading` are read together, by one job.
create table cloud_scopes (
  tenant_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  reading text not null,
  account text not null,
  account_name text not null default '',
  -- `global` where the provider answers for all regions at once.
  region text not null,
  type text not null check (type in ('compute', 'database', 'storage', 'kubernetes', 'function')),
  status text not null default 'pending'
    check (status in ('pending', 'running', 'complete', 'partial', 'failed')),
  reason text not null default '',
  -- Counts the attempts to read it. An older attempt that is still at work cannot end a newer one.
  run bigint not null default 0,
  -- Resources seen by the latest run.
  seen integer not null default 0,
  -- Complete runs without a single resource, one after the other.
  empty_runs integer not null default 0,
  started_at timestamptz,
  finished_at timestamptz,
  completed_at timestamptz,
  -- Since when the provider no longer names it.
  retired_at timestamptz,
  -- Since when a job that will read it is waiting.
  queued_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, connection_id, account, region, type),
  foreign key (tenant_id, connection_id) references cloud_connections (tenant_id, id) on delete cascade
);
create index cloud_scopes_of_reading on cloud_scopes (tenant_id, connection_id, reading);
select protect_table('cloud_scopes');

-- One resource. A machine that is made again under its old name is another one: `machine_id` tells them apart, and is
-- empty for everything that is no machine.
create table cloud_resources (
  tenant_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  scope_id uuid not null,
  provider text not null,
  account text not null,
  region text not null,
  type text not null,
  native_id text not null,
  machine_id text not null default '',
  name text not null,
  status text not null,
  tags text[] not null default '{}',
  facts jsonb not null default '{}',
  run bigint not null,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  gone_at timestamptz,
  gone_reason text not null default '',
  primary key (tenant_id, id),
  unique (tenant_id, native_id, machine_id),
  foreign key (tenant_id, scope_id) references cloud_scopes (tenant_id, id) on delete cascade
);
create index cloud_resources_listed on cloud_resources (tenant_id, provider, name, id) where gone_at is null;
create index cloud_resources_of_scope on cloud_resources (tenant_id, scope_id, run) where gone_at is null;
select protect_table('cloud_resources');

-- How fast the calls of one account may follow each other: `rate` a second, slower once the provider throttles.
create table cloud_call_rates (
  tenant_id uuid not null,
  connection_id uuid not null,
  bucket text not null,
  rate real not null,
  successes integer not null default 0,
  next_call_at timestamptz not null,
  primary key (tenant_id, connection_id, bucket),
  foreign key (tenant_id, connection_id) references cloud_connections (tenant_id, id) on delete cascade
);
select protect_table('cloud_call_rates');
