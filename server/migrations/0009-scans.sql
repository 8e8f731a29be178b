-- What may be scanned: a network in canonical form, or one address or host name.
create table scan_targets (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null references tenants,
  name text not null,
  kind text not null check (kind in ('cidr', 'host')),
  address text not null,
  created_at timestamptz not null default clock_timestamp()
);
create index scan_targets_of_tenant on scan_targets (tenant_id, created_at desc, id);
select protect_table('scan_targets');

-- A scan remembers what it looked at, so that it can be read when the target is gone. `attempt` names the worker that
-- may write: one that lost its lease holds an older attempt and learns so with its next note of progress.
create table scans (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null references tenants,
  target_id uuid references scan_targets on delete set null,
  target_kind text not null check (target_kind in ('cidr', 'host')),
  target_address text not null,
  type text not null,
  status text not null default 'pending'
    check (status in ('pending', 'running', 'completed', 'failed', 'cancelled')),
  message text not null,
  attempt integer not null default 0,
  asset_count integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  finished_at timestamptz,
  check ((finished_at is not null) = (status in ('completed', 'failed', 'cancelled')))
);
create index scans_of_tenant on scans (tenant_id, created_at desc, id);
create index scans_of_target on scans (target_id) where finished_at is null;
select protect_table('scans');
