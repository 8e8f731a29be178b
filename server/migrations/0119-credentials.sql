-- A secret that collectors alone can open stands here once for each of them, and nowhere else.
alter table credentials
  alter column secret_sealed drop not null,
  alter column key_version drop not null,
  add constraint credentials_secret_with_key check ((secret_sealed is null) = (key_version is null));

create table credential_collector_secrets (
  tenant_id uuid not null,
  credential_id uuid not null,
  collector_id uuid not null,
  -- JSON Web Encryption (RFC 7516) to the collector's X25519 key
  encrypted text not null,
  primary key (tenant_id, credential_id, collector_id),
  foreign key (tenant_id, credential_id) references credentials (tenant_id, id) on delete cascade,
  foreign key (tenant_id, collector_id) references collectors (tenant_id, id) on delete cascade
);
create index credential_collector_secrets_of_collector on credential_collector_secrets (tenant_id, collector_id);
select protect_table('credential_collector_secrets');
