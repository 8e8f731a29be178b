-- The list of tenants itself: its key is what tenant_id is elsewhere, so it is protected by id. Tenants are made by
-- the installation, not by a tenant.
create table tenants (
  id uuid primary key default gen_random_uuid(),
  slug text not null unique,
  name text not null,
  created_at timestamptz not null default clock_timestamp()
);
alter table tenants enable row level security;
alter table tenants force row level security;
create policy tenant on tenants to rollcall_app using (id = (select current_tenant()));
create policy system on tenants to rollcall_system using (true) with check (true);
grant select on tenants to rollcall_app;
grant select, insert, update, delete on tenants to rollcall_system;

-- People. An address signs in to one tenant, so it is unique in the installation whatever its case.
create table users (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null references tenants,
  email text not null,
  password_hash text not null,
  is_admin boolean not null,
  created_at timestamptz not null default clock_timestamp()
);
create unique index users_email on users (lower(email));
create index users_of_tenant on users (tenant_id);
select protect_table('users');
