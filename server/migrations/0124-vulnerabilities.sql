-- CISA's SSVC of a CVE, from the ADP container of the CVE list.
alter table vulnerabilities
  add column ssvc_exploitation text check (ssvc_exploitation in ('none', 'poc', 'active')),
  add column ssvc_is_automatable boolean,
  add column ssvc_impact text check (ssvc_impact in ('partial', 'total'));

-- By which version of the formula a day was scored: days of before keep theirs.
alter table asset_risk_days add column model smallint not null default 1;
alter table asset_risk_days alter column model drop default;

-- Scores of version 1 are worked out anew.
create index asset_risks_of_model on asset_risks (tenant_id, model);
insert into jobs (tenant_id, name, attempts_max, payload)
select tenant_id, 'vulnerabilities.recheckTagsAndLifecycles', 5, '{}'::jsonb from matching_cursors;
