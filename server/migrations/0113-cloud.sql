-- Keys by which the installation signs identity tokens for cloud providers. Public halves are served at /oidc/cloud/jwks,
-- a while before a key signs and a while after. The private halves, though sealed, are not for the role of tenants.
create table cloud_issuer_keys (
  kid text primary key,
  public_key jsonb not null, -- JWK
  private_key_sealed bytea not null, -- PKCS #8 in PEM, sealed with SECRET_KEY
  signs_from timestamptz not null,
  created_at timestamptz not null
);
grant select, insert, update, delete on cloud_issuer_keys to rollcall_system;

-- How often something happened since the installation was made, for Prometheus; of all tenants together.
create table cloud_totals (
  name text primary key,
  total bigint not null
);
grant select, insert, update on cloud_totals to rollcall_app, rollcall_system;
