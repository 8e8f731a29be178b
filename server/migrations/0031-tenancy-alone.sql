-- Whether what belongs to the whole installation, such as its feeds, may be decided by the tenant that asks: nobody else
-- is there. A tenant sees no row of another, so this alone is answered across tenants.
create function is_alone() returns boolean
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select count(*) < 2 from (select from tenants limit 2) few;
  end;
select run_as_system('is_alone()');
revoke execute on function is_alone() from public;
grant execute on function is_alone() to rollcall_app, rollcall_system;
