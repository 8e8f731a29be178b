-- Addresses in the order of their numbers, IPv4 before IPv6. What is no address has no place in it.
create function address_order(text) returns inet
  language plpgsql immutable strict parallel safe as $$
begin
  if pg_input_is_valid($1, 'inet') then return $1::inet; end if;
  return null;
end $$;

-- The orders in which people look through a million assets.
create index assets_by_name on assets (tenant_id, name, id);
create index assets_by_first_seen on assets (tenant_id, first_seen, id);
create index assets_by_address on assets (tenant_id, address_order(ip_address), id);

create index assets_tagged on assets using gin (tenant_id, tags) where tags <> '{}';

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
