-- PostgreSQL 15 has no pg_input_is_valid. There what is no address is found out by trying, in a subtransaction, which
-- parallel workers may not begin. The answers are the same, so the index stays valid when the server is upgraded.
do $$
begin
  if current_setting('server_version_num')::int < 160000 then
    create or replace function address_order(text) returns inet
      language plpgsql immutable strict parallel unsafe as $body$
    begin
      return $1::inet;
    exception when others then
      return null;
    end $body$;
  end if;
end $$;
