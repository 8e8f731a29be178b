-- Assets that changed and are to be judged again. Rows are only added and deleted: two changes of one asset are two rows,
-- so the transactions that write them never wait for each other.
create table compliance_due (
  tenant_id uuid not null,
  id bigint generated always as identity,
  asset_ids uuid[] not null, -- at most 500
  transaction_id xid8 not null default pg_current_xact_id(), -- of the change
  primary key (tenant_id, id)
);
select protect_table('compliance_due');

-- The scopes of the checks that adopted frameworks ask for, each once, with the number of assets in it.
create table compliance_scopes (
  tenant_id uuid not null,
  number bigint generated always as identity, -- never used twice
  scope text not null, -- a condition on assets
  assets bigint not null default 0, -- rows of compliance_assets that have the number
  primary key (tenant_id, number),
  unique (tenant_id, scope)
);
select protect_table('compliance_scopes');

-- In which scopes an asset was when it was judged last, so that the counts move by the difference.
create table compliance_assets (
  tenant_id uuid not null,
  asset_id uuid not null,
  scopes bigint[] not null, -- ascending
  primary key (tenant_id, asset_id)
);
select protect_table('compliance_assets');

-- Counts that a round over all assets had to correct, of all tenants together; more than none is a fault of the program.
create table compliance_drift (
  id boolean primary key default true check (id),
  corrected bigint not null
);
insert into compliance_drift (corrected) values (0);
grant select, update on compliance_drift to rollcall_app, rollcall_system;

-- How many are in scope and in order follows from the scope, and from those that fail or are unknown. Every check is judged
-- anew by the next round; until then its controls keep their status.
alter table compliance_check_states
  drop column in_scope,
  drop column ok,
  add column scope_number bigint;
update compliance_check_states set judged_at = null, revision = null;
