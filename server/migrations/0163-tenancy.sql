-- Whether the person may make organisations of their own. The first person of the installation may; others are allowed
-- by the command line.
alter table users add column may_create_tenants boolean not null default false;
grant select (may_create_tenants) on users to rollcall_app;
update users set may_create_tenants = true
  where id = (select id from users where managed_by is null order by created_at, id limit 1);

-- A demo is an organisation of invented data that a person looks around in and takes away again. From closed_at on
-- nobody enters it, and its rows are deleted. The command line gives invented data to any organisation;
-- demo_filled_at: it is all there.
alter table tenants
  add column is_demo boolean not null default false,
  add column has_demo_data boolean not null default false,
  add column demo_filled_at timestamptz,
  add column closed_at timestamptz,
  add constraint tenants_closed_demo check (closed_at is null or is_demo);

grant update (has_demo_data, demo_filled_at) on tenants to rollcall_app;
update tenants set has_demo_data = true, demo_filled_at = clock_timestamp() where exists (
  select from audit_entries a where a.tenant_id = tenants.id and a.action = 'demo.furnished');

-- Demos do not count: who looks around in one goes on deciding about the installation, but never from within it.
create or replace function is_alone() returns boolean
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select count(*) < 2 and not exists (select from tenants where id = current_tenant() and is_demo)
    from (select from tenants where not is_demo limit 2) few;
  end;

-- Deletes up to so many rows of a closed tenant from one table, and returns how many; -1 while other tables refer to
-- them. As the owner of the tables, for nobody else may take entries out of the audit log.
create function delete_closed_tenant_rows(closed uuid, table_name regclass, most integer) returns bigint
  language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  deleted bigint;
begin
  if not exists (select from tenants where id = closed and closed_at is not null) then
    raise exception 'tenant % is not closed', closed;
  end if;
  execute format('delete from %1$s where (tableoid, ctid) in
    (select tableoid, ctid from %1$s where tenant_id = $1 limit $2)', table_name) using closed, most;
  get diagnostics deleted = row_count;
  return deleted;
exception when foreign_key_violation then
  return -1;
end
$$;
revoke execute on function delete_closed_tenant_rows(uuid, regclass, integer) from public;
grant execute on function delete_closed_tenant_rows(uuid, regclass, integer) to rollcall_system;
