-- The key that signs checkpoints of audit logs; its public half is published at /.well-known/rollcall.json.
create table audit_signing_key (
  id boolean primary key default true check (id),
  public_key bytea not null, -- SubjectPublicKeyInfo, DER
  private_key_sealed bytea not null, -- PKCS #8 in PEM, sealed with SECRET_KEY
  created_at timestamptz not null
);
grant select, insert on audit_signing_key to rollcall_app;
grant select, insert, update on audit_signing_key to rollcall_system;

-- Signed once a day: that the log of a tenant had this link then.
create table audit_checkpoints (
  tenant_id uuid not null,
  seq bigint not null,
  hash bytea not null,
  signed_at timestamptz not null,
  signature bytea not null,
  primary key (tenant_id, seq)
);
select protect_table('audit_checkpoints');
revoke update, delete on audit_checkpoints from rollcall_app, rollcall_system;
