-- Trigrams are made of letters and digits alone, so of 10.0.0.5 or web-1 the index had next to nothing. Search texts
-- spell punctuation as capitals, which lower case leaves free: one to one, so a match of spellings is a match of texts.
-- `spelled` in spelling.ts is the same for the application.
create function search_spelling(text) returns text
  language sql immutable strict parallel safe
  return translate($1, '.-:_', 'QZXJ');

drop index asset_search_text;
update asset_search set text = search_spelling(text);
create index asset_search_text on asset_search using gin (tenant_id, text gin_trgm_ops)
  with (gin_pending_list_limit = 16384); -- kB: new assets come in batches, and their trigrams too

-- The assets whose search text holds the term, a pattern for LIKE of lower case.
create or replace function find_assets(pattern text) returns setof uuid
  language sql stable parallel safe security definer set search_path = pg_catalog, public
  set plan_cache_mode = force_custom_plan -- the best way depends on how rare the term is
  as $$
    select asset_id from asset_search where tenant_id = current_tenant() and text like search_spelling(pattern)
  $$;

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
