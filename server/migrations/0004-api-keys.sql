-- Keys are found by the digest of their secret before the tenant is known; the door asks as rollcall_system.
create table api_keys (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null references tenants,
  name text not null,
  prefix text not null,
  key_hash bytea not null unique,
  scopes text[] not null check (cardinality(scopes) > 0),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
create index api_keys_of_tenant on api_keys (tenant_id, created_at desc);
select protect_table('api_keys');
