-- All assets whose search text holds the spelled term, as search_assets finds them, archived ones too. Runs as the
-- engines' role for the same reason.
create function search_matches(term text) returns setof uuid
  language sql stable parallel safe security definer set search_path = pg_catalog, public
  set plan_cache_mode = force_custom_plan
  as $$
    select s.asset_id from asset_search s
    where s.tenant_id = current_tenant() and s.text like search_pattern(term) and strpos(s.text, term) > 0
  $$;
select run_as_system('search_matches(text)');
revoke execute on function search_matches(text) from public;
grant execute on function search_matches(text) to rollcall_app;
