-- Exceptions also from a control instead of a check, and of assets for which a condition holds. A condition is judged as
-- the scopes of checks are: which assets it holds for stands in compliance_assets, by the number of its text in
-- compliance_scopes.
alter table compliance_exceptions
  alter column check_id drop not null,
  add column framework text,
  add column control_id text,
  add column condition text,
  add constraint compliance_exceptions_of_one_subject
    check (num_nonnulls(check_id, control_id) = 1 and (framework is null) = (control_id is null)),
  add constraint compliance_exceptions_of_some_assets check (num_nonnulls(asset_id, tag, condition) <= 1);
create index compliance_exceptions_of_control on compliance_exceptions (tenant_id, framework, control_id)
  where state <> 'ended';

-- Of controls with an exception in force: how many failures of each of their checks are excepted for this control, by
-- exceptions from the check too.
create table compliance_control_exceptions (
  tenant_id uuid not null,
  framework text not null,
  control_id text not null,
  check_id text not null,
  excepted bigint not null,
  primary key (tenant_id, framework, control_id, check_id)
);
select protect_table('compliance_control_exceptions');
