-- Companies that a tenant gives access to, each with its own keys, limits and webhooks. Rows of deleted partners stay for
-- the audit log; their slugs are free again. Keys are found by the digest of their secret before the tenant is known, so
-- that the tables are asked by the server as rollcall_system.
create table partners (
  tenant_id uuid not null references tenants,
  id uuid not null default gen_random_uuid(),
  name text not null,
  slug text not null,
  email text not null,
  -- assets
  quota_limit integer not null check (quota_limit >= 1),
  -- requests a minute, of all its keys together
  rate_limit integer not null check (rate_limit >= 1),
  -- off: its keys are refused and its webhooks pause
  api_enabled boolean not null default true,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz,
  primary key (tenant_id, id)
);
create unique index partners_slug on partners (tenant_id, slug) where deleted_at is null;
create index partners_newest on partners (tenant_id, created_at desc, id) where deleted_at is null;
select protect_table('partners');

create table partner_keys (
  tenant_id uuid not null,
  id uuid not null default gen_random_uuid(),
  partner_id uuid not null,
  name text not null,
  prefix text not null,
  key_hash bytea not null unique,
  scopes text[] not null check (cardinality(scopes) > 0),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, partner_id) references partners (tenant_id, id)
);
create index partner_keys_of_partner on partner_keys (tenant_id, partner_id, created_at desc, id)
  where revoked_at is null;
select protect_table('partner_keys');

-- Requests with keys of a partner on one day of UTC, refused ones included. Written by every request, so without a
-- foreign key, whose check would lock the partner's row each time.
create table partner_requests (
  tenant_id uuid not null,
  partner_id uuid not null,
  day date not null,
  n bigint not null,
  primary key (tenant_id, partner_id, day)
) with (fillfactor = 50);
create index partner_requests_by_day on partner_requests (day);
select protect_table('partner_requests');
