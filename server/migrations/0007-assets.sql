-- A thing that the tenant has, as its observations describe it. Everything but risk_score and the two lists of tags
-- is worked out from observations and overrides. Ids are UUIDs of version 7: the lesser is the older.
create table assets (
  id uuid primary key,
  tenant_id uuid not null,
  name text not null,
  asset_type text not null,
  ip_address text not null,
  mac_address text not null,
  os text not null,
  hostname text not null,
  serial text not null,
  vendor text not null,
  model text not null,
  risk_score double precision not null default 0,
  confidence double precision not null,
  tags text[] not null,
  own_tags text[] not null default '{}', -- that people gave
  muted_tags text[] not null default '{}', -- that people took away, though a source gives them
  first_seen timestamptz not null,
  last_seen timestamptz not null
);
create index assets_newest on assets (tenant_id, last_seen, id);
create index assets_newest_of_type on assets (tenant_id, asset_type, last_seen, id);
select protect_table('assets');

-- How many assets there are, exactly, written in the transaction of the change.
create table asset_counts (
  tenant_id uuid not null,
  asset_type text not null,
  n bigint not null,
  primary key (tenant_id, asset_type)
) with (fillfactor = 50);
select protect_table('asset_counts');

-- What searches look at, apart from the asset, so that a mere sighting leaves its index alone: lower case, one value a line.
create table asset_search (
  asset_id uuid primary key,
  tenant_id uuid not null,
  text text not null
);
create index asset_search_text on asset_search using gin (tenant_id, text gin_trgm_ops);
select protect_table('asset_search');

-- What one source saw of one thing. Which source and key never changes; the payload is that of the newest sighting.
create table asset_observations (
  id uuid primary key,
  tenant_id uuid not null,
  source_id uuid not null,
  source_kind text not null,
  source_name text not null,
  source_key text not null,
  scope text not null,
  asset_id uuid not null,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  payload jsonb not null,
  payload_hash bytea not null,
  watched boolean not null, -- another sighting with nothing new in it may change what belongs together
  unique (tenant_id, source_id, source_key)
) with (fillfactor = 80);
create index asset_observations_of_asset on asset_observations (asset_id);
select protect_table('asset_observations');

-- All that observations ever said to tell things apart, normalised. Without last_seen: as long as the observation is seen.
create table asset_identifiers (
  tenant_id uuid not null,
  observation_id uuid not null,
  type text not null,
  value text not null,
  first_seen timestamptz not null,
  last_seen timestamptz,
  is_static boolean not null
);
create index asset_identifiers_of_observation on asset_identifiers (observation_id);
create index asset_identifiers_holders on asset_identifiers (tenant_id, value, type);
select protect_table('asset_identifiers');

-- What people said about two observations; a is the lesser id.
create table asset_constraints (
  tenant_id uuid not null,
  a uuid not null references asset_observations on delete cascade,
  b uuid not null references asset_observations on delete cascade,
  kind text not null check (kind in ('must_link', 'cannot_link')),
  actor_kind text not null,
  actor_id text not null,
  reason text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (a, b),
  check (a < b)
);
create index asset_constraints_b on asset_constraints (b);
select protect_table('asset_constraints');

-- Values that were found to be no evidence in this tenant, and why.
create table asset_shared_values (
  tenant_id uuid not null,
  type text not null,
  value text not null,
  why jsonb not null,
  learned_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, type, value)
);
select protect_table('asset_shared_values');

-- Pairs of observations, in two assets, that may be of one thing; a is the lesser id.
create table asset_candidates (
  tenant_id uuid not null,
  a uuid not null references asset_observations on delete cascade,
  b uuid not null references asset_observations on delete cascade,
  score double precision not null,
  reasons jsonb not null,
  veto jsonb,
  primary key (a, b)
);
create index asset_candidates_b on asset_candidates (b);
create index asset_candidates_of_tenant on asset_candidates (tenant_id, score desc);
select protect_table('asset_candidates');

-- Assets that were merged into another, and which observations they had, so that a merge can be undone.
create table asset_aliases (
  old_id uuid primary key,
  tenant_id uuid not null,
  asset_id uuid not null references assets on delete cascade,
  observation_ids uuid[] not null,
  merged_at timestamptz not null
);
create index asset_aliases_of_asset on asset_aliases (asset_id);
select protect_table('asset_aliases');

-- Values that people set instead of what sources say.
create table asset_overrides (
  asset_id uuid not null references assets on delete cascade,
  tenant_id uuid not null,
  attribute text not null,
  value text not null,
  is_locked boolean not null,
  actor_kind text not null,
  actor_id text not null,
  reason text not null,
  set_at timestamptz not null,
  primary key (asset_id, attribute)
);
select protect_table('asset_overrides');

create table asset_custom_fields (
  id uuid primary key,
  tenant_id uuid not null,
  name text not null,
  kind text not null check (kind in ('text', 'number', 'boolean', 'date')),
  unique (tenant_id, name)
);
select protect_table('asset_custom_fields');

create table asset_custom_values (
  asset_id uuid not null references assets on delete cascade,
  field_id uuid not null references asset_custom_fields on delete cascade,
  tenant_id uuid not null,
  value jsonb not null,
  primary key (asset_id, field_id)
);
create index asset_custom_values_of_field on asset_custom_values (field_id);
select protect_table('asset_custom_values');

-- The assets whose search text holds the term, a pattern for LIKE. Row-level security would keep the planner from the
-- trigram index, because LIKE is not leakproof; so this runs as the engines' role, which may see every tenant, and
-- says itself whose rows it wants: those of the tenant that the session is bound to.
create function find_assets(pattern text) returns setof uuid
  language sql stable parallel safe security definer set search_path = pg_catalog, public
  set plan_cache_mode = force_custom_plan -- the best way depends on how rare the term is
  as $$
    select asset_id from asset_search where tenant_id = current_tenant() and text like pattern
  $$;
select run_as_system('find_assets(text)');
revoke execute on function find_assets(text) from public;
grant execute on function find_assets(text) to rollcall_app;
