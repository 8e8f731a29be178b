alter table flows drop constraint flows_trigger_kind_check;
alter table flows add constraint flows_trigger_kind_check
  check (trigger_kind in ('event', 'schedule', 'manual', 'webhook', 'query'));

-- Of a query trigger that is enabled: when its members were written down first; until then nothing starts.
alter table flows add column members_since timestamptz;

-- Of a waiting run: when it goes on. A job that comes earlier leaves it alone.
alter table flow_runs add column wake_at timestamptz;
-- Which items of `for_each` a step was done for, such as 3 or 3.1; empty outside of one.
alter table flow_run_steps add column item text not null default '';
-- Of a run that was started again from a step of another.
alter table flow_runs add column rerun_of uuid;

create index flow_runs_under_way on flow_runs (tenant_id, flow_id, asset_id)
  where status in ('pending', 'running', 'waiting');

-- What is asked of people before a run goes on.
create table flow_approvals (
  tenant_id uuid not null,
  id uuid not null,
  run_id uuid not null,
  question text not null,
  state text not null check (state in ('open', 'approved', 'refused', 'expired')),
  expires_at timestamptz not null,
  created_at timestamptz not null,
  decided_at timestamptz,
  decided_by_name text,
  note text not null default '',
  -- The token that answers it once, for the steps of its run; null once it is answered.
  token_sealed bytea,
  primary key (tenant_id, id),
  foreign key (tenant_id, run_id) references flow_runs (tenant_id, id) on delete cascade
);
create index flow_approvals_of_run on flow_approvals (tenant_id, run_id);
create index flow_approvals_newest on flow_approvals (tenant_id, created_at desc, id desc);
select protect_table('flow_approvals');

-- Tokens that stand in addresses of requests from outside: of an inbound webhook, or the answer to an approval. They are
-- looked up before the tenant is known.
create table flow_tokens (
  token_hash bytea primary key,
  tenant_id uuid not null,
  flow_id uuid,
  approval_id uuid,
  -- Of a webhook: whether its flow is on.
  is_live boolean not null,
  -- Of a webhook whose requests are signed: the key of the signature, sealed.
  secret_sealed bytea,
  created_at timestamptz not null,
  check ((flow_id is null) <> (approval_id is null))
);
create unique index flow_tokens_of_flow on flow_tokens (tenant_id, flow_id);
create unique index flow_tokens_of_approval on flow_tokens (tenant_id, approval_id);
select protect_table('flow_tokens');

-- Secrets that steps name as {{secrets.NAME}}.
create table flow_secrets (
  tenant_id uuid not null,
  name text not null,
  value_sealed bytea not null,
  updated_at timestamptz not null,
  updated_by_name text not null,
  primary key (tenant_id, name)
);
select protect_table('flow_secrets');

-- A row here stops all flows of the tenant.
create table flow_stops (
  tenant_id uuid primary key,
  stopped_at timestamptz not null,
  stopped_by_name text not null,
  reason text not null
);
select protect_table('flow_stops');

-- A row here stops the flows of all tenants.
create table flow_installation_stop (
  is_only boolean primary key default true check (is_only),
  stopped_at timestamptz not null,
  reason text not null
);
grant select on flow_installation_stop to rollcall_app;
grant select, insert, update, delete on flow_installation_stop to rollcall_system;

-- The assets for which the condition of an enabled query trigger was true when it was last asked.
create table flow_members (
  tenant_id uuid not null,
  flow_id uuid not null,
  asset_id uuid not null,
  primary key (tenant_id, flow_id, asset_id),
  foreign key (tenant_id, flow_id) references flows (tenant_id, id) on delete cascade
);
create index flow_members_of_asset on flow_members (tenant_id, asset_id);
select protect_table('flow_members');

-- Assets that changed since query triggers were last asked about them.
create table flow_changed_assets (
  tenant_id uuid not null,
  asset_id uuid not null,
  primary key (tenant_id, asset_id)
);
select protect_table('flow_changed_assets');
