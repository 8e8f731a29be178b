-- Whoever could write compliance could approve statements of applicability, and still can.
update roles set permissions = permissions || array['statements:approve']
where built_in is null and 'compliance:write' = any(permissions);

alter table compliance_checks
  add column freshness text not null default '', -- a condition; where it does not hold, what would be in order is unknown
  add column copied_from text, -- id of the shipped check that it began as
  add column copied jsonb, -- what that said when it was copied, or when the two were compared last
  add constraint compliance_checks_copied check ((copied_from is null) = (copied is null));
create unique index compliance_checks_copies on compliance_checks (tenant_id, copied_from) where copied_from is not null;

-- Checks that do not count for a framework, or of which it tolerates another number of failures.
create table compliance_check_settings (
  tenant_id uuid not null,
  framework text not null,
  check_id text not null, -- a slug of a shipped check, or the id of an own one
  is_off boolean not null,
  tolerance text, -- null: that of the check
  primary key (tenant_id, framework, check_id)
);
select protect_table('compliance_check_settings');

-- Texts of frameworks that the organisation holds a licence for, as it imported them: shown to its members alone.
create table compliance_text_imports (
  tenant_id uuid not null,
  framework text not null,
  is_exported boolean not null, -- the licence lets the organisation put them into files of its statements
  imported_at timestamptz not null,
  imported_by_name text not null,
  primary key (tenant_id, framework)
);
select protect_table('compliance_text_imports');

create table compliance_control_texts (
  tenant_id uuid not null,
  framework text not null,
  control_id text not null,
  title text not null,
  text text not null,
  primary key (tenant_id, framework, control_id),
  foreign key (tenant_id, framework) references compliance_text_imports (tenant_id, framework) on delete cascade
);
select protect_table('compliance_control_texts');

-- The control was not in the version before, because the framework has changed; false again once somebody wrote the row.
alter table compliance_statement_rows add column is_new boolean not null default false;

-- What the new status was judged on, once that is recorded.
alter table compliance_control_changes add column evidence_id uuid;
