-- What may be scanned: a network in canonical form, or one address or host name.
create table scan_targets (
  tenant_id uuid not null,
  id uuid not null default gen_random_uuid(),
  name text not null,
  kind text not null check (kind in ('cidr', 'host')),
  address text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id)
);
create index scan_targets_of_tenant on scan_targets (tenant_id, created_at desc, id);
select protect_table('scan_targets');

-- A credential bound to a target is no longer bound to it when it is gone.
alter table credential_bindings
  add foreign key (tenant_id, target_id) references scan_targets (tenant_id, id) on delete cascade;

-- A scan remembers what it looked at, so that it can be read when the target is gone. `attempt` names the worker that
-- may write: one that lost its lease holds an older attempt and learns so with its next note of progress.
create table scans (
  tenant_id uuid not null,
  id uuid not null default gen_random_uuid(),
  target_id uuid, -- null when it is gone
  target_kind text not null check (target_kind in ('cidr', 'host')),
  target_address text not null,
  type text not null,
  status text not null default 'pending'
    check (status in ('pending', 'running', 'completed', 'failed', 'cancelled')),
  message text not null,
  -- How far the running attempt is, in numbers: what `message` says in words. Null until it has looked at something.
  progress jsonb,
  -- Who started it, for the log of what was shown to hosts on whose behalf.
  started_by jsonb,
  attempt integer not null default 0,
  asset_count integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  finished_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, target_id) references scan_targets (tenant_id, id),
  check ((finished_at is not null) = (status in ('completed', 'failed', 'cancelled')))
);
create index scans_of_tenant on scans (tenant_id, created_at desc, id);
create index scans_of_target on scans (tenant_id, target_id) where target_id is not null;
select protect_table('scans');

-- What a scan saw of each host, as read and as the host said it; of a limited size, kept for a limited time. Known
-- secrets are taken out before it is written.
create table scan_results (
  tenant_id uuid not null,
  scan_id uuid not null,
  id bigint generated always as identity,
  -- An address or a host name; what the source calls it where it has neither.
  host text not null,
  name text not null,
  read jsonb not null,
  is_cut boolean not null,
  raw jsonb not null default '[]',
  seen_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, scan_id, id),
  foreign key (tenant_id, scan_id) references scans (tenant_id, id) on delete cascade
);
create index scan_results_by_age on scan_results (seen_at);
select protect_table('scan_results');
