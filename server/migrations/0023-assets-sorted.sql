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
