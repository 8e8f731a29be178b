-- How many observations each source has, of living and of archived assets, written in the transaction of the change: the
-- overview asks for them, and to count them it had to read every observation.
create table asset_observation_counts (
  tenant_id uuid not null,
  source_id uuid not null,
  n bigint not null,
  primary key (tenant_id, source_id)
) with (fillfactor = 50);
insert into asset_observation_counts (tenant_id, source_id, n)
  select tenant_id, source_id, count(*) from asset_observations group by tenant_id, source_id;
select protect_table('asset_observation_counts');

-- The index looks up the tenant for each text that has the rarest of the term's trigrams, which takes longer than all else
-- where most texts are the tenant's. There it is asked for the term alone; each text that it finds is still asked whose
-- it is. How many texts there are is what PostgreSQL estimates.
create function has_most_search_texts(tenant uuid) returns boolean
  language sql stable parallel safe set search_path = pg_catalog, public
  as $$
    select 2 * coalesce(sum(n), 0) > (select reltuples from pg_class where oid = 'asset_search'::regclass)
    from asset_counts where tenant_id = tenant
  $$;
revoke execute on function has_most_search_texts(uuid) from public;

create or replace function find_assets_by_any(pattern text, term text, mac text, most bigint) returns setof uuid
  language plpgsql stable parallel safe security definer set search_path = pg_catalog, public
  set plan_cache_mode = force_custom_plan
  as $$
declare
  mine constant uuid := current_tenant();
  has_most constant boolean := has_most_search_texts(mine);
begin
  return query select s.asset_id from asset_search s
    where (s.tenant_id = mine) is true and (has_most or s.tenant_id = mine) and (
      (s.text like pattern and strpos(s.text, term) > 0)
      or (s.attributes like pattern and strpos(s.attributes, term) > 0)
      or s.attributes like mac)
      and not exists (select from assets a
        where a.tenant_id = mine and a.id = s.asset_id and a.archived_at is not null)
    limit most;
end $$;

create or replace function count_assets_by_any(pattern text, term text, mac text) returns bigint
  language plpgsql stable parallel safe security definer set search_path = pg_catalog, public
  set plan_cache_mode = force_custom_plan
  as $$
declare
  mine constant uuid := current_tenant();
  has_most constant boolean := has_most_search_texts(mine);
begin
  return (select count(*) from asset_search s
    where (s.tenant_id = mine) is true and (has_most or s.tenant_id = mine) and (
      (s.text like pattern and strpos(s.text, term) > 0)
      or (s.attributes like pattern and strpos(s.attributes, term) > 0)
      or s.attributes like mac)
      and not exists (select from assets a
        where a.tenant_id = mine and a.id = s.asset_id and a.archived_at is not null));
end $$;

create or replace function search_matches(term text) returns setof uuid
  language plpgsql stable parallel safe security definer set search_path = pg_catalog, public
  set plan_cache_mode = force_custom_plan
  rows 100000
  as $$
declare
  mine constant uuid := current_tenant();
  has_most constant boolean := has_most_search_texts(mine);
  pattern constant text := search_pattern(term);
  rest constant text := nullif(term, search_window(term));
begin
  return query select s.asset_id from asset_search s
    where (s.tenant_id = mine) is true and (has_most or s.tenant_id = mine)
      and s.text like pattern and (rest is null or strpos(s.text, term) > 0)
      and not exists (select from assets a
        where a.tenant_id = mine and a.id = s.asset_id and a.archived_at is not null);
end $$;

create or replace function search_assets(term text, of_type text, page_limit bigint, page_offset bigint)
  returns table (id uuid, total bigint)
  language plpgsql stable security definer set search_path = pg_catalog, public
  set plan_cache_mode = force_custom_plan
  as $$
declare
  few constant integer := 5000;
  mine constant uuid := current_tenant();
  has_most constant boolean := has_most_search_texts(mine);
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
      where (s.tenant_id = mine) is true and (has_most or s.tenant_id = mine)
        and s.text like pattern and (rest is null or strpos(s.text, term) > 0)
        and not exists (select from assets a
          where a.tenant_id = mine and a.id = s.asset_id and a.archived_at is not null)
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
    where (s.tenant_id = mine) is true and (has_most or s.tenant_id = mine)
      and s.text like pattern and (rest is null or strpos(s.text, term) > 0)
      and not exists (select from assets a
        where a.tenant_id = mine and a.id = s.asset_id and a.archived_at is not null);
  else
    select count(*) into hits from asset_search s join assets a on a.id = s.asset_id
    where (s.tenant_id = mine) is true and (has_most or s.tenant_id = mine)
      and s.text like pattern and (rest is null or strpos(s.text, term) > 0)
      and a.tenant_id = mine and a.asset_type = of_type and a.archived_at is null;
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
          where a.tenant_id = mine and a.archived_at is null and (of_type is null or a.asset_type = of_type)
          order by a.last_seen desc, a.id desc limit 4 * steps
        ) w join asset_search s on s.tenant_id = mine and s.asset_id = w.id
        where s.text like pattern and (rest is null or strpos(s.text, term) > 0)
        order by w.last_seen desc, w.id desc limit page_limit offset page_offset);
    end if;
    if coalesce(cardinality(ids), 0) < least(page_limit, hits - page_offset) then
      ids := array(
        select a.id from asset_search s join assets a on a.id = s.asset_id
        where (s.tenant_id = mine) is true and (has_most or s.tenant_id = mine)
          and s.text like pattern and (rest is null or strpos(s.text, term) > 0)
          and a.tenant_id = mine and a.archived_at is null and (of_type is null or a.asset_type = of_type)
        order by a.last_seen desc, a.id desc limit page_limit offset page_offset);
    end if;
  end if;
  return query select p.id, hits from (select 1) one left join unnest(ids) as p(id) on true;
end $$;

-- The functions run as the owner of the tables, as which they see no more than before: rollcall_system sees every row. For
-- a role under a policy PostgreSQL looks at no statistics of what LIKE finds, and took each term for one that few texts
-- have: it asked the index where all texts had to be read.
do $$
declare
  f regprocedure;
begin
  foreach f in array array['search_assets(text, text, bigint, bigint)', 'search_matches(text)',
    'find_assets_by_any(text, text, text, bigint)', 'count_assets_by_any(text, text, text)']::regprocedure[]
  loop
    execute format('alter function %s owner to current_user', f);
  end loop;
end $$;
