-- What the app's search looks at beside `text`: name, operating system, make and model, tags and MAC addresses, spelled
-- as `searchAttributesOf` in search-text.ts says, one value a line. The API's search looks at `text` alone.
alter table asset_search add column attributes text not null default '';

update asset_search s
set attributes = search_spelling(lower(concat_ws(E'\n', nullif(a.name, ''), nullif(a.os, ''),
    nullif(trim(a.vendor || ' ' || a.model), ''), nullif(array_to_string(a.tags, E'\n'), ''))))
  || E'\n' || translate(lower(a.mac_address), '0123456789abcdef:', 'ABCDEFGHIKLMNOPR')
from assets a where a.tenant_id = s.tenant_id and a.id = s.asset_id;

create index asset_search_attributes on asset_search using gin (tenant_id, attributes gin_trgm_ops)
  with (gin_pending_list_limit = 16384);

-- Addresses of all interfaces in the order of their numbers, for searches by network.
create index asset_identifiers_by_address on asset_identifiers (tenant_id, address_order(value))
  where type = 'ip' and last_seen is null;

-- What the index is asked for a spelled term; see search_window.
create function search_pattern(term text) returns text
  language sql immutable strict parallel safe
  return '%' || replace(replace(search_window(term), '\', '\\'), '%', '\%') || '%';

-- The assets of which something contains the spelled term, whose pattern is given beside it, or a MAC address the
-- spelled part; at most so many, null: all. Runs as the engines' role for the same reason as find_assets did.
create function find_assets_by_any(pattern text, term text, mac text, most bigint) returns setof uuid
  language sql stable parallel safe security definer set search_path = pg_catalog, public
  set plan_cache_mode = force_custom_plan
  as $$
    select s.asset_id from asset_search s
    where s.tenant_id = current_tenant() and (
      (s.text like pattern and strpos(s.text, term) > 0)
      or (s.attributes like pattern and strpos(s.attributes, term) > 0)
      or s.attributes like mac)
    limit most
  $$;

create function count_assets_by_any(pattern text, term text, mac text) returns bigint
  language sql stable parallel safe security definer set search_path = pg_catalog, public
  set plan_cache_mode = force_custom_plan
  as $$
    select count(*) from asset_search s
    where s.tenant_id = current_tenant() and (
      (s.text like pattern and strpos(s.text, term) > 0)
      or (s.attributes like pattern and strpos(s.attributes, term) > 0)
      or s.attributes like mac)
  $$;

-- The assets with an address in the network, on whichever interface; at most so many, null: all. The bounds are
-- constants when it is planned, so the indexes by address are asked for the range.
create function find_assets_in(network inet, most bigint) returns setof uuid
  language sql stable parallel safe security definer set search_path = pg_catalog, public
  set plan_cache_mode = force_custom_plan
  as $$
    select distinct id from (
      (select a.id from assets a
       where a.tenant_id = current_tenant()
         and address_order(a.ip_address) between host(network(network))::inet and host(broadcast(network))::inet limit most)
      union all
      (select o.asset_id from asset_identifiers i
       join asset_observations o on o.tenant_id = i.tenant_id and o.id = i.observation_id
       where i.tenant_id = current_tenant() and i.type = 'ip' and i.last_seen is null
         and address_order(i.value) between host(network(network))::inet and host(broadcast(network))::inet limit most)
    ) found limit most
  $$;

do $$
declare
  f regprocedure;
begin
  foreach f in array array['find_assets_by_any(text, text, text, bigint)', 'count_assets_by_any(text, text, text)',
    'find_assets_in(inet, bigint)']::regprocedure[]
  loop
    perform run_as_system(f);
    execute format('revoke execute on function %s from public', f);
    execute format('grant execute on function %s to rollcall_app', f);
  end loop;
end $$;

drop function find_assets(text);
