-- Archived assets leave lists, counts, risk and findings until a source sees them again or a person revives them.
alter table assets
  add column archived_at timestamptz,
  add column archived_by text, -- 'rule', or who did it
  add column revived_at timestamptz, -- by a person; rules count from here
  add constraint assets_archived_by check ((archived_at is null) = (archived_by is null));

-- Lists are of living assets, so that their orders come from the index alone.
drop index assets_newest, assets_newest_of_type, assets_newest_of_device_type, assets_by_name, assets_by_first_seen,
  assets_by_address, assets_by_risk;
create index assets_newest on assets (tenant_id, last_seen, id) where archived_at is null;
create index assets_newest_of_type on assets (tenant_id, asset_type, last_seen, id) where archived_at is null;
create index assets_newest_of_device_type on assets (tenant_id, device_type, last_seen, id) where archived_at is null;
create index assets_by_name on assets (tenant_id, name, id) where archived_at is null;
create index assets_by_first_seen on assets (tenant_id, first_seen, id) where archived_at is null;
create index assets_by_address on assets (tenant_id, address_order(ip_address), id) where archived_at is null;
create index assets_by_risk on assets (tenant_id, risk_score, id) where archived_at is null;
-- What searches leave out, and the list of archived assets.
create index assets_archived on assets (tenant_id, id) where archived_at is not null;

-- After how many days without a sighting assets are archived, by kind of source; '' is every other kind. No row: never.
create table asset_archive_rules (
  tenant_id uuid not null,
  source_kind text not null,
  days integer not null check (days between 1 and 3650),
  primary key (tenant_id, source_kind)
);
select protect_table('asset_archive_rules');

-- Findings of archived assets: kept up by the transaction that archives or revives the asset.
alter table findings add column is_archived boolean not null default false;
drop index findings_ranked, findings_ranked_of_severity;
create index findings_ranked on findings (tenant_id, status, score, id) where not is_archived;
create index findings_ranked_of_severity on findings (tenant_id, status, severity, score, id) where not is_archived;

-- The searches find living assets only.
create or replace function find_assets_by_any(pattern text, term text, mac text, most bigint) returns setof uuid
  language sql stable parallel safe security definer set search_path = pg_catalog, public
  set plan_cache_mode = force_custom_plan
  as $$
    select s.asset_id from asset_search s
    where s.tenant_id = current_tenant() and (
      (s.text like pattern and strpos(s.text, term) > 0)
      or (s.attributes like pattern and strpos(s.attributes, term) > 0)
      or s.attributes like mac)
      and not exists (select from assets a
        where a.tenant_id = current_tenant() and a.id = s.asset_id and a.archived_at is not null)
    limit most
  $$;

create or replace function count_assets_by_any(pattern text, term text, mac text) returns bigint
  language sql stable parallel safe security definer set search_path = pg_catalog, public
  set plan_cache_mode = force_custom_plan
  as $$
    select count(*) from asset_search s
    where s.tenant_id = current_tenant() and (
      (s.text like pattern and strpos(s.text, term) > 0)
      or (s.attributes like pattern and strpos(s.attributes, term) > 0)
      or s.attributes like mac)
      and not exists (select from assets a
        where a.tenant_id = current_tenant() and a.id = s.asset_id and a.archived_at is not null)
  $$;

create or replace function find_assets_in(network inet, most bigint) returns setof uuid
  language sql stable parallel safe security definer set search_path = pg_catalog, public
  set plan_cache_mode = force_custom_plan
  as $$
    select distinct id from (
      (select a.id from assets a
       where a.tenant_id = current_tenant() and a.archived_at is null
         and address_order(a.ip_address) between host(network(network))::inet and host(broadcast(network))::inet limit most)
      union all
      (select o.asset_id from asset_identifiers i
       join asset_observations o on o.tenant_id = i.tenant_id and o.id = i.observation_id
       where i.tenant_id = current_tenant() and i.type = 'ip' and i.last_seen is null
         and address_order(i.value) between host(network(network))::inet and host(broadcast(network))::inet
         and not exists (select from assets a
           where a.tenant_id = current_tenant() and a.id = o.asset_id and a.archived_at is not null)
       limit most)
    ) found limit most
  $$;

create or replace function tagged_assets(tag text, most bigint) returns setof uuid
  language sql stable parallel safe security definer set search_path = pg_catalog, public
  set enable_seqscan = off -- rows with a common tag may all lie at the far end of the table
  as $$
    select id from assets where tenant_id = current_tenant() and tags <> '{}' and tags @> array[tag]
      and archived_at is null limit most
  $$;

create or replace function assets_with_software(wanted bigint, page_limit bigint, page_offset bigint)
  returns table (id uuid, total bigint)
  language sql stable security definer set search_path = pg_catalog, public
  set plan_cache_mode = force_custom_plan
  as $$
    with held as materialized (
      select a.id, a.name from assets a where a.tenant_id = current_tenant() and a.archived_at is null and a.id in (
        select h.asset_id from software_holders(array[wanted]) h)
    )
    select p.id, t.total from (select count(*) as total from held) t left join (
      select held.id, held.name from held order by name, id limit page_limit offset page_offset
    ) p on true order by p.name, p.id
  $$;

create or replace function search_assets(term text, of_type text, page_limit bigint, page_offset bigint)
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
    where s.tenant_id = mine and s.text like pattern and (rest is null or strpos(s.text, term) > 0)
      and not exists (select from assets a
        where a.tenant_id = mine and a.id = s.asset_id and a.archived_at is not null);
  else
    select count(*) into hits from asset_search s join assets a on a.id = s.asset_id
    where s.tenant_id = mine and s.text like pattern and (rest is null or strpos(s.text, term) > 0)
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
        where s.tenant_id = mine and s.text like pattern and (rest is null or strpos(s.text, term) > 0)
          and a.tenant_id = mine and a.archived_at is null and (of_type is null or a.asset_type = of_type)
        order by a.last_seen desc, a.id desc limit page_limit offset page_offset);
    end if;
  end if;
  return query select p.id, hits from (select 1) one left join unnest(ids) as p(id) on true;
end $$;
