-- What is known of each CVE of which the tenant has, or had, a finding: a copy of the catalogue's facts, so that a list
-- of findings asks nobody else. Scores are in tenths, 0 to 100: CVSS has one decimal.
create table vulnerabilities (
  tenant_id uuid not null,
  cve_id text not null,
  description text not null,
  severity text not null,
  score smallint not null,
  is_scored boolean not null, -- someone published a score; else it is the middle of the severity's band
  epss double precision,
  kev_added_on date,
  affected_assets integer not null default 0, -- open findings, written in the transaction of the change
  primary key (tenant_id, cve_id)
) with (fillfactor = 80);
select protect_table('vulnerabilities');

-- One for each CVE and asset. Severity and score are the effective ones: overrides are in them.
create table findings (
  tenant_id uuid not null,
  id uuid not null,
  asset_id uuid not null,
  cve_id text not null,
  status text not null check (status in ('open', 'resolved', 'accepted', 'false_positive', 'not_affected')),
  severity text not null,
  score smallint not null,
  grade text not null, -- of the surest attribution, as are confidence, software and fixed version
  confidence double precision not null,
  software text not null,
  fixed_version text not null,
  override_id uuid, -- of its status
  rating_override_id uuid, -- of its severity and score
  is_present boolean not null, -- an attribution lives
  found_at timestamptz not null,
  changed_at timestamptz not null,
  primary key (tenant_id, id)
) with (fillfactor = 85);
create unique index findings_of_asset on findings (tenant_id, asset_id, cve_id);
create index findings_ranked on findings (tenant_id, status, score, id);
create index findings_ranked_of_severity on findings (tenant_id, status, severity, score, id);
create index findings_of_cve on findings (tenant_id, cve_id, status, score, id);
create index findings_overridden on findings (tenant_id, override_id) where override_id is not null;
create index findings_rerated on findings (tenant_id, rating_override_id) where rating_override_id is not null;
select protect_table('findings');

-- How many findings there are, exactly, written in the transaction of the change: at most 5 x 5 x 101 rows.
create table finding_counts (
  tenant_id uuid not null,
  status text not null,
  severity text not null,
  score smallint not null,
  n bigint not null,
  primary key (tenant_id, status, severity, score)
) with (fillfactor = 50);
select protect_table('finding_counts');

-- Which matches make a finding. Those that no longer hold stay, with their end.
create table finding_attributions (
  tenant_id uuid not null,
  finding_id uuid not null,
  match_id bigint not null,
  found_at timestamptz not null,
  missed_at timestamptz, -- the inventory that no longer listed the software; a second one ends it
  ended_at timestamptz,
  ended_because text,
  primary key (tenant_id, finding_id, match_id),
  foreign key (tenant_id, finding_id) references findings (tenant_id, id) on delete cascade
) with (fillfactor = 85);
create index finding_attributions_missed on finding_attributions (tenant_id, missed_at) where missed_at is not null;
select protect_table('finding_attributions');

-- What became of a finding: each change of its status, severity or score, and why.
create table finding_history (
  tenant_id uuid not null,
  finding_id uuid not null,
  id bigint generated always as identity, -- in the order in which they were written
  at timestamptz not null,
  status text not null,
  severity text not null,
  score smallint not null,
  why text not null,
  primary key (tenant_id, finding_id, id),
  foreign key (tenant_id, finding_id) references findings (tenant_id, id) on delete cascade
);
select protect_table('finding_history');

-- What matches one distinct software, worked out once for however many assets have it: which record and rule of which
-- feed, and how. A match that no longer holds stays, with its end: findings say why they were made.
create table software_matches (
  tenant_id uuid not null,
  id bigint generated always as identity,
  software_id bigint not null,
  cve_id text not null,
  feed text not null,
  record text not null,
  grade text not null,
  confidence double precision not null,
  package text not null, -- name without version: what an upgrade keeps
  software text not null, -- name and version
  fixed_version text not null,
  kernel text not null, -- only where this kernel runs, as uname prints it; empty: everywhere
  is_hearsay boolean not null, -- only where nothing better is known of the asset's software
  derivation jsonb not null,
  ended_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, software_id, cve_id, feed, record)
);
create index software_matches_of_cve on software_matches (tenant_id, cve_id);
select protect_table('software_matches');

-- Under which names of the catalogue a distinct software was looked up: a change there touches it. One without any was
-- looked at as well, and has an empty name.
create table software_keys (
  tenant_id uuid not null,
  software_id bigint not null,
  ecosystem text not null,
  package text not null,
  primary key (tenant_id, software_id, ecosystem, package)
);
create index software_keys_by_package on software_keys (tenant_id, ecosystem, package);
select protect_table('software_keys');

-- Assets whose findings are to be worked out anew. A later mark while the work is going on stays.
create table matching_due (
  tenant_id uuid not null,
  asset_id uuid not null,
  marked_at timestamptz not null,
  software_ids bigint[], -- only what matches these is to be looked at; null: everything
  primary key (tenant_id, asset_id)
);
select protect_table('matching_due');

-- Marks everything that has one of these, for these alone, in the order of ids. In the database, because there may be as
-- many as the tenant has assets; as the engines' role, for the same reason as software_holders.
create function mark_holders_due(wanted bigint[]) returns void
  language sql volatile security definer set search_path = pg_catalog, public
  set plan_cache_mode = force_custom_plan
  as $$
    insert into matching_due as d (tenant_id, asset_id, marked_at, software_ids)
    select current_tenant(), h.asset_id, clock_timestamp(), array_agg(distinct h.software_id)
    from software_holders(wanted) h group by h.asset_id order by h.asset_id
    on conflict (tenant_id, asset_id) do update set marked_at = excluded.marked_at,
      software_ids = case when d.software_ids is null then null else
        array(select distinct id from unnest(d.software_ids || excluded.software_ids) as id) end
  $$;
select run_as_system('mark_holders_due(bigint[])');
revoke execute on function mark_holders_due(bigint[]) from public;
grant execute on function mark_holders_due(bigint[]) to rollcall_app;

-- How far each tenant has followed the catalogue of advisories.
create table matching_cursors (
  tenant_id uuid primary key,
  changes_seen bigint not null,
  matched_at timestamptz not null
);
select protect_table('matching_cursors');

-- What people, or a VEX document, decided about findings.
create table finding_overrides (
  tenant_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('severity', 'accepted_risk', 'false_positive', 'not_affected', 'fixed')),
  cve_id text not null,
  finding_id uuid, -- of this finding alone
  package text, -- of this software
  version text, -- only in this version; null: carried over from one to the next
  tag text, -- on assets with this tag
  severity text,
  score smallint,
  reason text not null,
  origin text not null, -- 'person', or the VEX document
  expires_at timestamptz,
  state text not null check (state in ('proposed', 'active', 'ended')),
  created_at timestamptz not null,
  created_by text not null,
  created_by_name text not null,
  approved_at timestamptz,
  approved_by_name text,
  ended_at timestamptz,
  ended_because text,
  primary key (tenant_id, id),
  foreign key (tenant_id, finding_id) references findings (tenant_id, id) on delete cascade
);
create index finding_overrides_of_cve on finding_overrides (tenant_id, cve_id) where state = 'active';
create index finding_overrides_newest on finding_overrides (tenant_id, created_at);
create index finding_overrides_expiring on finding_overrides (expires_at) where state <> 'ended' and expires_at is not null;
select protect_table('finding_overrides');

-- How the tenant wants it.
create table finding_settings (
  tenant_id uuid primary key,
  needs_approval boolean not null default false
);
select protect_table('finding_settings');

-- Why an asset has the score that it has: what went into it, and the five findings that weigh most.
create table asset_risks (
  tenant_id uuid not null,
  asset_id uuid not null,
  model smallint not null,
  score double precision not null,
  open_findings integer not null,
  contributions jsonb not null,
  factors jsonb not null,
  computed_at timestamptz not null,
  primary key (tenant_id, asset_id)
) with (fillfactor = 80);
create index asset_risks_ranked on asset_risks (tenant_id, score);
select protect_table('asset_risks');

-- The last score of each day on which it changed; a day that is missing is like the one before.
create table asset_risk_days (
  tenant_id uuid not null,
  asset_id uuid not null,
  day date not null,
  score double precision not null,
  open_findings integer not null,
  primary key (tenant_id, asset_id, day)
);
select protect_table('asset_risk_days');

-- What people say of an asset's weight.
create table asset_weights (
  tenant_id uuid not null,
  asset_id uuid not null,
  criticality text not null default 'normal' check (criticality in ('critical', 'high', 'normal', 'low')),
  exposure text not null default 'unknown' check (exposure in ('internet', 'unknown', 'isolated')),
  is_end_of_life boolean not null default false, -- of its operating system
  primary key (tenant_id, asset_id)
);
select protect_table('asset_weights');
