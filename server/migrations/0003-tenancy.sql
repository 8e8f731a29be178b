-- The list of tenants itself: its key is what tenant_id is elsewhere, so it is protected by id. Tenants are made by
-- the installation, not by a tenant.
create table tenants (
  id uuid primary key default gen_random_uuid(),
  slug text not null unique,
  name text not null,
  created_at timestamptz not null default clock_timestamp()
);
alter table tenants enable row level security;
create policy tenant on tenants to rollcall_app using (id = current_tenant());
create policy system on tenants to rollcall_system using (true) with check (true);
-- A tenant gives itself another name; its id and its slug it cannot change.
grant select, update (name) on tenants to rollcall_app;
grant select, insert, update, delete on tenants to rollcall_system;

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

-- A role is a set of permissions in one tenant. The built-in ones have theirs in the program, so that they grow with it.
create table roles (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null references tenants,
  name text not null,
  built_in text check (built_in in ('admin', 'operator', 'viewer')),
  permissions text[] not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  unique (tenant_id, id),
  unique (tenant_id, built_in)
);
create unique index roles_name on roles (tenant_id, lower(name));
select protect_table('roles');

-- A person is one account of the installation, in however many tenants; or, when a tenant's identity provider vouches
-- for somebody, an account of that tenant alone, which no other tenant's provider and no password can open. An address
-- is unique whatever its case.
create table users (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  name text not null default '',
  password_hash text,
  managed_by uuid references tenants,
  created_at timestamptz not null default clock_timestamp(),
  last_signed_in_at timestamptz,
  -- sealed; in use from totp_confirmed_at on
  totp_secret bytea,
  totp_confirmed_at timestamptz,
  -- the last time step whose code was taken: no code works twice
  totp_step bigint,
  constraint users_password check ((managed_by is null) = (password_hash is not null))
);
create unique index users_email on users (lower(email), managed_by) nulls not distinct;

-- In which tenants a person works, and as what.
create table memberships (
  tenant_id uuid not null references tenants,
  user_id uuid not null references users on delete cascade,
  role_id uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, user_id),
  foreign key (tenant_id, role_id) references roles (tenant_id, id)
);
create index memberships_of_user on memberships (user_id);
create index memberships_of_role on memberships (tenant_id, role_id);
select protect_table('memberships');

alter table users enable row level security;
create policy tenant on users for select to rollcall_app
  using (exists (select from memberships where memberships.user_id = users.id
    and memberships.tenant_id = current_tenant()));
create policy system on users to rollcall_system using (true) with check (true);
grant select (id, email, name, managed_by, created_at, last_signed_in_at, totp_confirmed_at) on users to rollcall_app;
grant select, insert, update, delete on users to rollcall_system;

-- The rest is the installation's alone: no tenant reads it.

-- Somebody at a browser. The token in the cookie is kept as its SHA-256.
create table sessions (
  id uuid primary key default gen_random_uuid(),
  token_hash bytea not null unique,
  user_id uuid not null references users on delete cascade,
  -- where the person works at the moment; null for people of no tenant
  current_tenant_id uuid references tenants,
  -- opened by this tenant's identity provider: good for this tenant alone, and not for the account itself
  bound_to uuid references tenants,
  -- the password was right; nothing is open before the code is
  awaits_code boolean not null default false,
  address text not null,
  user_agent text not null,
  created_at timestamptz not null default clock_timestamp(),
  last_seen_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);
create index sessions_of_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);
grant select, insert, update, delete on sessions to rollcall_system;

-- Each opens the account once when the second factor is lost. SHA-256 of 80 random bits.
create table recovery_codes (
  user_id uuid not null references users on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);
grant select, insert, update, delete on recovery_codes to rollcall_system;

-- Links that set a new password, once.
create table password_resets (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  expires_at timestamptz not null
);
create index password_resets_of_user on password_resets (user_id);
grant select, insert, update, delete on password_resets to rollcall_system;

-- How often in a row something was guessed wrong, by account and by client address.
create table wrong_guesses (
  -- SHA-256 of what is counted
  bucket bytea primary key,
  times integer not null,
  last_at timestamptz not null default clock_timestamp(),
  next_at timestamptz not null
);
grant select, insert, update, delete on wrong_guesses to rollcall_system;

-- Links that bring a person into the tenant, once.
create table invitations (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null references tenants,
  email text not null,
  role_id uuid not null,
  token_hash bytea not null unique,
  invited_by text,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  foreign key (tenant_id, role_id) references roles (tenant_id, id) on delete cascade
);
create unique index invitations_email on invitations (tenant_id, lower(email));
select protect_table('invitations');

-- The identity provider of a tenant (OpenID Connect).
create table sign_on_providers (
  tenant_id uuid primary key references tenants,
  issuer text not null,
  client_id text not null,
  -- sealed
  client_secret bytea not null,
  role_id uuid not null,
  domains text[] not null,
  updated_at timestamptz not null default clock_timestamp(),
  foreign key (tenant_id, role_id) references roles (tenant_id, id)
);
select protect_table('sign_on_providers');

-- Whom a provider means by its subject (OpenID Connect Core §2: unique and never given to another, within the issuer).
create table sign_on_identities (
  tenant_id uuid not null references tenants,
  issuer text not null,
  subject text not null,
  user_id uuid not null references users on delete cascade,
  primary key (tenant_id, issuer, subject)
);
create index sign_on_identities_of_user on sign_on_identities (user_id);
select protect_table('sign_on_identities');

-- People who are at their provider at the moment. Taken away when they come back, so that nobody comes back twice.
create table sign_on_journeys (
  -- SHA-256 of the state parameter and of the cookie: only the browser that left comes back
  state_hash bytea primary key,
  cookie_hash bytea not null,
  tenant_id uuid not null references tenants,
  nonce text not null,
  code_verifier text not null,
  return_to text not null,
  expires_at timestamptz not null
);
select protect_table('sign_on_journeys');
