-- Two roles without login that the owner of the database steps into: neither owns a table, neither bypasses row-level security.
-- rollcall_app is bound to one tenant; rollcall_system is for the engines, which serve every tenant.
do $$
declare
  role_name text;
begin
  foreach role_name in array array['rollcall_app', 'rollcall_system'] loop
    if not exists (select from pg_roles where rolname = role_name) then
      begin
        execute format('create role %I nologin', role_name);
      exception when duplicate_object then null; -- another node was quicker
      end;
    end if;
    if not pg_has_role(current_user, role_name, 'member') or not pg_has_role(current_user, role_name, 'usage') then
      execute format('grant %I to %I', role_name, current_user);
    end if;
    execute format('grant usage on schema public to %I', role_name);
  end loop;
end
$$;

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

create function current_tenant() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.tenant', true), '')::uuid;

-- Row-level security for a table with a tenant_id column: the application sees the bound tenant, the engines see all.
-- Not forced on the owner, who is a member of rollcall_system and would see every row anyway: forced, it keeps pg_dump
-- and logical replication from reading the table. The policy has no subquery, which a distributed table cannot have.
create function protect_table(table_name regclass) returns void
  language plpgsql as $$
begin
  execute format('alter table %s enable row level security', table_name);
  execute format('create policy tenant on %s to rollcall_app using (tenant_id = current_tenant())'
                 ' with check (tenant_id = current_tenant())', table_name);
  execute format('create policy system on %s to rollcall_system using (true) with check (true)', table_name);
  execute format('grant select, insert, update, delete on %s to rollcall_app, rollcall_system', table_name);
end
$$;

-- For a SECURITY DEFINER function that must see what the caller may not: it runs as rollcall_system.
create function run_as_system(function_signature regprocedure) returns void
  language plpgsql as $$
begin
  grant create on schema public to rollcall_system;
  execute format('alter function %s owner to rollcall_system', function_signature);
  revoke create on schema public from rollcall_system;
end
$$;

revoke execute on function protect_table(regclass), run_as_system(regprocedure) from public;

grant select on migrations to rollcall_app, rollcall_system;

-- The job queue: work that survives crashes. A row is deleted when its work is done.
create table jobs (
  id bigint generated always as identity primary key,
  tenant_id uuid not null,
  name text not null,
  payload jsonb not null,
  attempts smallint not null default 0,
  attempts_max smallint not null,
  run_at timestamptz not null default clock_timestamp(),
  leased_until timestamptz,
  lease uuid,
  failed_at timestamptz,
  last_error text,
  created_at timestamptz not null default clock_timestamp()
);
create index jobs_due on jobs (run_at) where failed_at is null;
create index jobs_of_tenant on jobs (tenant_id, name);
select protect_table('jobs');

-- When each periodic job last ran; of the installation, not of a tenant.
create table periodic_jobs (
  name text primary key,
  last_run_at timestamptz not null
);
grant select, insert, update, delete on periodic_jobs to rollcall_system;

-- Processes at work; of the installation, not of a tenant.
create table nodes (
  id uuid primary key,
  host text not null,
  pid integer not null,
  roles text[] not null,
  started_at timestamptz not null default clock_timestamp(),
  beat_at timestamptz not null default clock_timestamp()
);
grant select, insert, update, delete on nodes to rollcall_system;

-- One row: what all nodes agree on. key_check is a known text sealed with the first SECRET_KEY; welcome holds, sealed,
-- the credentials of the first start until they have been shown.
create table installation (
  is_only boolean primary key default true check (is_only),
  key_check bytea not null,
  founded_at timestamptz,
  welcome bytea
);
grant select, insert, update, delete on installation to rollcall_system;

-- How many requests a caller has made in its running minute; of the installation, not of a tenant. Unlogged: a crash of
-- the database server forgets the counts, which lets callers begin a new minute and harms nobody.
create unlogged table rate_windows (
  -- SHA-256 of what is counted: a credential or a client address
  bucket bytea primary key,
  ends_at timestamptz not null,
  used integer not null
) with (fillfactor = 50);
grant select, insert, update, delete on rate_windows to rollcall_system;
