-- A thing that the tenant has, as its observations describe it. Everything but risk_score and the two lists of tags
-- is worked out from observations and overrides. Ids are UUIDs of version 7: the lesser is the older.
create table assets (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  asset_type text not null,
  -- What it is for: what people said, else what recognition reads; null: not worked out yet.
  device_type text,
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
  last_seen timestamptz not null,
  primary key (tenant_id, id)
);
select protect_table('assets');

-- Addresses in the order of their numbers, IPv4 before IPv6. What is no address has no place in it.
create function address_order(text) returns inet
  language plpgsql immutable strict parallel safe as $$
begin
  if pg_input_is_valid($1, 'inet') then return $1::inet; end if;
  return null;
end $$;

-- The orders in which people look through a million assets.
create index assets_newest on assets (tenant_id, last_seen, id);
create index assets_newest_of_type on assets (tenant_id, asset_type, last_seen, id);
create index assets_newest_of_device_type on assets (tenant_id, device_type, last_seen, id);
create index assets_by_name on assets (tenant_id, name, id);
create index assets_by_first_seen on assets (tenant_id, first_seen, id);
create index assets_by_address on assets (tenant_id, address_order(ip_address), id);
create index assets_by_risk on assets (tenant_id, risk_score, id);
create index assets_tagged on assets using gin (tenant_id, tags) where tags <> '{}';

-- How many assets there are, exactly, written in the transaction of the change.
create table asset_counts (
  tenant_id uuid not null,
  asset_type text not null,
  n bigint not null,
  primary key (tenant_id, asset_type)
) with (fillfactor = 50);
select protect_table('asset_counts');

-- What searches look at, apart from the asset, so that a mere sighting leaves its index alone: lower case, one value a
-- line, spelled by search_spelling.
create table asset_search (
  tenant_id uuid not null,
  asset_id uuid not null,
  text text not null,
  primary key (tenant_id, asset_id)
);
create index asset_search_text on asset_search using gin (tenant_id, text gin_trgm_ops)
  with (gin_pending_list_limit = 16384); -- kB: new assets come in batches, and their trigrams too
select protect_table('asset_search');

-- What one source saw of one thing. Which source and key never changes; the payload is that of the newest sighting.
create table asset_observations (
  tenant_id uuid not null,
  id uuid not null,
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
  -- What older sightings said and no newer one mentions, the newest first:
  -- [{"seenAt": milliseconds, "hash": base64, "payload": {}}].
  kept jsonb not null default '[]',
  watched boolean not null, -- another sighting with nothing new in it may change what belongs together
  primary key (tenant_id, id),
  unique (tenant_id, source_id, source_key)
) with (fillfactor = 80);
create index asset_observations_of_asset on asset_observations (tenant_id, asset_id);
select protect_table('asset_observations');

-- All that observations ever said to tell things apart, normalised. Without last_seen: as long as the observation is seen.
create table asset_identifiers (
  tenant_id uuid not null,
  observation_id uuid not null,
  place smallint not null, -- among those of the observation, from 0
  type text not null,
  value text not null,
  first_seen timestamptz not null,
  last_seen timestamptz,
  is_static boolean not null,
  primary key (tenant_id, observation_id, place)
);
create index asset_identifiers_holders on asset_identifiers (tenant_id, value, type);
select protect_table('asset_identifiers');

-- What people said about two observations; a is the lesser id.
create table asset_constraints (
  tenant_id uuid not null,
  a uuid not null,
  b uuid not null,
  kind text not null check (kind in ('must_link', 'cannot_link')),
  actor_kind text not null,
  actor_id text not null,
  reason text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, a, b),
  foreign key (tenant_id, a) references asset_observations (tenant_id, id) on delete cascade,
  foreign key (tenant_id, b) references asset_observations (tenant_id, id) on delete cascade,
  check (a < b)
);
create index asset_constraints_b on asset_constraints (tenant_id, b);
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
  a uuid not null,
  b uuid not null,
  score double precision not null,
  reasons jsonb not null,
  veto jsonb,
  primary key (tenant_id, a, b),
  foreign key (tenant_id, a) references asset_observations (tenant_id, id) on delete cascade,
  foreign key (tenant_id, b) references asset_observations (tenant_id, id) on delete cascade
);
create index asset_candidates_b on asset_candidates (tenant_id, b);
create index asset_candidates_of_tenant on asset_candidates (tenant_id, score desc);
select protect_table('asset_candidates');

-- Assets that were merged into another, and which observations they had, so that a merge can be undone.
create table asset_aliases (
  tenant_id uuid not null,
  old_id uuid not null,
  asset_id uuid not null,
  observation_ids uuid[] not null,
  merged_at timestamptz not null,
  primary key (tenant_id, old_id),
  foreign key (tenant_id, asset_id) references assets (tenant_id, id) on delete cascade
);
create index asset_aliases_of_asset on asset_aliases (tenant_id, asset_id);
select protect_table('asset_aliases');

-- Values that people set instead of what sources say.
create table asset_overrides (
  tenant_id uuid not null,
  asset_id uuid not null,
  attribute text not null,
  value text not null,
  is_locked boolean not null,
  actor_kind text not null,
  actor_id text not null,
  reason text not null,
  set_at timestamptz not null,
  primary key (tenant_id, asset_id, attribute),
  foreign key (tenant_id, asset_id) references assets (tenant_id, id) on delete cascade
);
select protect_table('asset_overrides');

create table asset_custom_fields (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  kind text not null check (kind in ('text', 'number', 'boolean', 'date')),
  primary key (tenant_id, id),
  unique (tenant_id, name)
);
select protect_table('asset_custom_fields');

create table asset_custom_values (
  tenant_id uuid not null,
  asset_id uuid not null,
  field_id uuid not null,
  value jsonb not null,
  primary key (tenant_id, asset_id, field_id),
  foreign key (tenant_id, asset_id) references assets (tenant_id, id) on delete cascade,
  foreign key (tenant_id, field_id) references asset_custom_fields (tenant_id, id) on delete cascade
);
create index asset_custom_values_of_field on asset_custom_values (tenant_id, field_id);
select protect_table('asset_custom_values');

-- Ways to look at assets that people keep. The view is the app's own text: what is filtered, ordered and shown.
create table asset_views (
  tenant_id uuid not null,
  id uuid not null,
  user_id text not null,
  name text not null,
  view jsonb not null,
  primary key (tenant_id, id),
  unique (tenant_id, user_id, name)
);
select protect_table('asset_views');

-- Trigrams are made of letters and digits alone, so of 10.0.0.5 or web-1 the index would have next to nothing. Search texts
-- spell punctuation as capitals, which lower case leaves free: one to one, so a match of spellings is a match of texts.
-- `spelled` in spelling.ts is the same for the application.
create function search_spelling(text) returns text
  language sql immutable strict parallel safe
  return translate($1, '.-:_', 'QZXJ');

-- The assets whose search text holds the term, a pattern for LIKE of lower case. Row-level security would keep the planner from the
-- trigram index, because LIKE is not leakproof; so this runs as the engines' role, which may see every tenant, and
-- says itself whose rows it wants: those of the tenant that the session is bound to.
create function find_assets(pattern text) returns setof uuid
  language sql stable parallel safe security definer set search_path = pg_catalog, public
  set plan_cache_mode = force_custom_plan -- the best way depends on how rare the term is
  as $$
    select asset_id from asset_search where tenant_id = current_tenant() and text like search_spelling(pattern)
  $$;
select run_as_system('find_assets(text)');
revoke execute on function find_assets(text) from public;
grant execute on function find_assets(text) to rollcall_app;

-- The index is asked for eight characters of a long term, those with the most digits: it looks up each trigram for each
-- candidate, and what tells machines apart is their number, while the rest of a name repeats.
create function search_window(term text) returns text
  language sql immutable strict parallel safe
  return (
    select substr(term, at, 8) from generate_series(1, greatest(length(term) - 7, 1)) as at
    order by length(regexp_replace(substr(term, at, 8), '\D', '', 'g')) desc, at limit 1
  );

-- A page of the assets whose search text holds the spelled term, the newest sighting first, and how many there are: on
-- one row without an id when the page is empty. Runs as the engines' role for the same reason as find_assets does.
create function search_assets(term text, of_type text, page_limit bigint, page_offset bigint)
  returns table (id uuid, total bigint)
  language plpgsql stable security definer set search_path = pg_catalog, public
  set plan_cache_mode = force_custom_plan
  as $$
declare
  few constant integer := 5000;
  mine constant uuid := current_tenant();
  part constant text := search_window(term);
  rest constant text := nullif(term, part);
  pattern constant text := '%' || replace(replace(part, '\', '\\'), '%', '\%') || '%';
  hits bigint;
  steps bigint;
  ids uuid[];
begin
  -- one pass, if it ends soon
  if of_type is null then
    with found as materialized (
      select s.asset_id from asset_search s
      where s.tenant_id = mine and s.text like pattern and (rest is null or strpos(s.text, term) > 0)
    )
    select array(select asset_id from found limit few + 1) into ids;
    hits := cardinality(ids);
    if hits <= few then
      return query select p.id, hits from (select 1) one left join (
        select a.id from assets a where a.tenant_id = mine and a.id = any (ids)
        order by a.last_seen desc, a.id desc limit page_limit offset page_offset
      ) p on true;
      return;
    end if;
    select count(*) into hits from asset_search s
    where s.tenant_id = mine and s.text like pattern and (rest is null or strpos(s.text, term) > 0);
  else
    select count(*) into hits from asset_search s join assets a on a.id = s.asset_id
    where s.tenant_id = mine and s.text like pattern and (rest is null or strpos(s.text, term) > 0)
      and a.tenant_id = mine and a.asset_type = of_type;
  end if;
  ids := null;
  if page_offset < hits then
    -- how far down the list the page ends if what is sought is spread evenly
    select (page_offset + page_limit) * sum(c.n) / hits into steps from asset_counts c
    where c.tenant_id = mine and (of_type is null or c.asset_type = of_type);
    if steps < hits then
      ids := array(
        select w.id from (
          select a.id, a.last_seen from assets a
          where a.tenant_id = mine and (of_type is null or a.asset_type = of_type)
          order by a.last_seen desc, a.id desc limit 4 * steps
        ) w join asset_search s on s.tenant_id = mine and s.asset_id = w.id
        where s.text like pattern and (rest is null or strpos(s.text, term) > 0)
        order by w.last_seen desc, w.id desc limit page_limit offset page_offset);
    end if;
    if coalesce(cardinality(ids), 0) < least(page_limit, hits - page_offset) then
      ids := array(
        select a.id from asset_search s join assets a on a.id = s.asset_id
        where s.tenant_id = mine and s.text like pattern and (rest is null or strpos(s.text, term) > 0)
          and a.tenant_id = mine and (of_type is null or a.asset_type = of_type)
        order by a.last_seen desc, a.id desc limit page_limit offset page_offset);
    end if;
  end if;
  return query select p.id, hits from (select 1) one left join unnest(ids) as p(id) on true;
end $$;
select run_as_system('search_assets(text, text, bigint, bigint)');
revoke execute on function search_assets(text, text, bigint, bigint) from public;
grant execute on function search_assets(text, text, bigint, bigint) to rollcall_app;

-- Assets with the tag, at most so many. Row-level security would keep the planner from the index, because @> is not
-- leakproof; so this runs as the engines' role and says itself whose rows it wants.
create function tagged_assets(tag text, most bigint) returns setof uuid
  language sql stable parallel safe security definer set search_path = pg_catalog, public
  set enable_seqscan = off -- rows with a common tag may all lie at the far end of the table
  as $$
    select id from assets where tenant_id = current_tenant() and tags <> '{}' and tags @> array[tag] limit most
  $$;
select run_as_system('tagged_assets(text, bigint)');
revoke execute on function tagged_assets(text, bigint) from public;
grant execute on function tagged_assets(text, bigint) to rollcall_app;
