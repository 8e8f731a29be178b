-- A discovery sweeps a target and then logs in to each live host with what the vault may show there. With `cron` it
-- does so on a schedule; `windows` are the hours in which it may touch the network (empty: always).
create table discoveries (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  target_id uuid not null,
  types text[] not null,
  hosts_at_once smallint not null,
  cron text,
  zone text not null,
  windows jsonb not null default '[]',
  is_enabled boolean not null,
  next_at timestamptz,
  -- Why the last time that was due did not become a run; empty when it did.
  skipped text not null default '',
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, target_id) references scan_targets (tenant_id, id)
);
create unique index discoveries_by_name on discoveries (tenant_id, lower(name));
create index discoveries_of_target on discoveries (tenant_id, target_id);
select protect_table('discoveries');

-- One run of a discovery, or (discovery_id null) of "scan now" on some assets. It keeps what it looks at, so that it can
-- be read when the discovery is gone. `attempt` names the worker that may write.
create table discovery_runs (
  tenant_id uuid not null,
  id uuid not null,
  discovery_id uuid,
  name text not null,
  cause text not null check (cause in ('manual', 'schedule', 'scan_now')),
  target_id uuid,
  entries text[] not null,
  exclusions text[] not null,
  types text[] not null,
  hosts_at_once smallint not null,
  zone text not null,
  windows jsonb not null,
  started_by jsonb,
  status text not null default 'pending'
    check (status in ('pending', 'running', 'waiting', 'completed', 'failed', 'cancelled')),
  message text not null default '',
  attempt integer not null default 0,
  sweep_scan_id uuid,
  addresses_total integer not null default 0,
  addresses_done integer not null default 0,
  -- So many addresses from the first on need no sweep any more.
  addresses_settled integer not null default 0,
  hosts_found integer not null default 0,
  hosts_done integer not null default 0,
  logged_in integer not null default 0,
  refused integer not null default 0,
  unanswered integer not null default 0,
  not_asked integer not null default 0,
  -- The run that this one was compared with, and what came of it.
  compared_run_id uuid,
  new_hosts integer,
  changed_hosts integer,
  gone_hosts integer,
  waits_until timestamptz,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  primary key (tenant_id, id),
  check ((finished_at is not null) = (status in ('completed', 'failed', 'cancelled')))
);
create index discovery_runs_of_tenant on discovery_runs (tenant_id, created_at desc, id);
create index discovery_runs_of_discovery on discovery_runs (tenant_id, discovery_id, created_at desc)
  where discovery_id is not null;
-- A discovery has one run at a time.
create unique index discovery_runs_under_way on discovery_runs (tenant_id, discovery_id)
  where discovery_id is not null and finished_at is null;
select protect_table('discovery_runs');

-- A live host of a run and what came of the logins; and (`change` gone) one that the run before found and this did not.
create table discovery_hosts (
  tenant_id uuid not null,
  run_id uuid not null,
  address inet not null,
  name text not null,
  state text not null check (state in ('found', 'asking', 'done')),
  outcome text check (outcome in ('logged_in', 'refused', 'unanswered', 'not_asked')),
  why text not null default '',
  -- What the sweep says about which logins make sense.
  hints jsonb not null,
  -- One entry for each kind of login: its scan, what came of it, or why it was not asked.
  logins jsonb not null default '[]',
  -- What is compared with the run before: name, ports, system and so on.
  seen jsonb not null,
  -- As of the observation of the sweep, by which the asset is found.
  source_key text not null,
  asset_id uuid,
  change text check (change in ('new', 'changed', 'unchanged', 'gone')),
  changed_fields text[] not null default '{}',
  found_at timestamptz not null,
  done_at timestamptz,
  primary key (tenant_id, run_id, address),
  foreign key (tenant_id, run_id) references discovery_runs (tenant_id, id) on delete cascade
);
create index discovery_hosts_to_ask on discovery_hosts (tenant_id, run_id, address) where state <> 'done';
select protect_table('discovery_hosts');
