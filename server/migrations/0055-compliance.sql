-- Frameworks whose controls the organisation has judged; the frameworks themselves come with the product.
create table compliance_adoptions (
  tenant_id uuid not null,
  framework text not null, -- its slug
  adopted_at timestamptz not null,
  adopted_by_name text not null,
  primary key (tenant_id, framework)
);
select protect_table('compliance_adoptions');

-- The organisation's own checks, beside those that come with the product.
create table compliance_checks (
  tenant_id uuid not null,
  id uuid not null,
  title text not null,
  scope text not null, -- a condition on assets; empty: all assets
  condition text not null,
  severity text not null check (severity in ('critical', 'high', 'medium', 'low')),
  next_step text not null,
  controls jsonb not null, -- {"framework": ["control"]}
  tolerance text not null, -- how many may fail: a number, or a share such as 2%
  revision integer not null,
  created_at timestamptz not null,
  created_by_name text not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
create index compliance_checks_oldest on compliance_checks (tenant_id, created_at, id);
select protect_table('compliance_checks');

-- What the last round over all assets counted. Without judged_at: never judged; then `fault` may say why.
create table compliance_check_states (
  tenant_id uuid not null,
  check_id text not null, -- a slug of a shipped check, or the id of an own one
  in_scope bigint not null default 0,
  ok bigint not null default 0,
  failed bigint not null default 0,
  unknown bigint not null default 0,
  excepted bigint not null default 0, -- of those that failed
  revision integer, -- of the check, as it was judged
  judged_at timestamptz,
  fault text,
  primary key (tenant_id, check_id),
  check (in_scope = ok + failed + unknown and excepted <= failed)
);
select protect_table('compliance_check_states');

-- Assets in scope that a check does not find in order; all others in its scope are.
create table compliance_results (
  tenant_id uuid not null,
  check_id text not null,
  asset_id uuid not null,
  outcome "char" not null check (outcome in ('f', 'u')), -- failed, unknown
  since timestamptz not null,
  primary key (tenant_id, check_id, asset_id)
);
create index compliance_results_of_asset on compliance_results (tenant_id, asset_id);
select protect_table('compliance_results');

-- The status of each control that has been judged.
create table compliance_control_states (
  tenant_id uuid not null,
  framework text not null,
  control_id text not null,
  status text not null check (status in ('pass', 'fail', 'warning', 'not_applicable', 'not_assessed')),
  since timestamptz not null,
  cause jsonb not null, -- {"why": [text], "failing": [asset id]}: of the last change, at most 1,000 assets
  primary key (tenant_id, framework, control_id)
);
select protect_table('compliance_control_states');

-- Every change of a control's status, one row for each COMPLIANCE_UPDATED.
create table compliance_control_changes (
  tenant_id uuid not null,
  id bigint generated always as identity,
  framework text not null,
  control_id text not null,
  from_status text not null,
  to_status text not null,
  changed_at timestamptz not null,
  why text[] not null,
  primary key (tenant_id, id),
  check (from_status <> to_status)
);
create index compliance_changes_of_control on compliance_control_changes (tenant_id, framework, control_id, id);
select protect_table('compliance_control_changes');

-- Failures that are accepted for a time: of one asset, of those with a tag, or all of the check.
create table compliance_exceptions (
  tenant_id uuid not null,
  id uuid not null,
  check_id text not null,
  asset_id uuid,
  tag text,
  reason text not null,
  state text not null check (state in ('proposed', 'active', 'ended')),
  expires_at timestamptz not null,
  created_at timestamptz not null,
  created_by text not null,
  created_by_name text not null,
  approved_at timestamptz,
  approved_by_name text,
  ended_at timestamptz,
  ended_because text,
  primary key (tenant_id, id),
  check (asset_id is null or tag is null)
);
create index compliance_exceptions_of_check on compliance_exceptions (tenant_id, check_id) where state <> 'ended';
create index compliance_exceptions_newest on compliance_exceptions (tenant_id, created_at, id);
create index compliance_exceptions_expiring on compliance_exceptions (expires_at) where state <> 'ended';
select protect_table('compliance_exceptions');

-- What people state about a control that no check can judge.
create table compliance_attestations (
  tenant_id uuid not null,
  id uuid not null,
  framework text not null,
  control_id text not null,
  statement text not null,
  valid_until timestamptz not null,
  attested_at timestamptz not null,
  attested_by_name text not null,
  withdrawn_at timestamptz,
  primary key (tenant_id, id)
);
create unique index compliance_attestations_in_force on compliance_attestations (tenant_id, framework, control_id)
  where withdrawn_at is null;
select protect_table('compliance_attestations');

create table compliance_settings (
  tenant_id uuid not null,
  exceptions_need_approval boolean not null,
  primary key (tenant_id)
);
select protect_table('compliance_settings');
