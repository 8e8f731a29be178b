-- The tenant's data keys: each sealed with the installation's SECRET_KEY. Secrets are encrypted under the newest; an
-- older one stays until nothing is encrypted under it.
create table credential_keys (
  tenant_id uuid not null,
  version integer not null check (version >= 1),
  wrapped bytea not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, version)
);
select protect_table('credential_keys');

-- What scans show to hosts to be let in. `settings` holds what may be read, `secret_sealed` the rest.
create table credentials (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  kind text not null,
  settings jsonb not null,
  secret_sealed bytea not null,
  -- Counts the secrets that stood here: part of what a ciphertext is bound to.
  secret_version integer not null default 1,
  key_version integer not null,
  -- Of a directory, which locks it for all hosts at once; null for an account that each host has for itself.
  account text,
  -- False until the secret that stands here now has been accepted somewhere.
  is_proven boolean not null default false,
  -- One that is not proven is shown to one host at a time: whose turn it is, and until when.
  trial_by text,
  trial_until timestamptz,
  -- Refused by these in a row, with no success in between.
  refused_by inet[] not null default '{}',
  -- How often it was set aside in a row, and until when it is.
  trips smallint not null default 0,
  open_until timestamptz,
  open_reason text,
  last_used_at timestamptz,
  last_accepted_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  foreign key (tenant_id, key_version) references credential_keys (tenant_id, version)
);
create unique index credentials_by_name on credentials (tenant_id, lower(name));
select protect_table('credentials');

-- Where a credential may be shown, and nowhere else. The foreign key of target_id is made where targets are.
create table credential_bindings (
  tenant_id uuid not null,
  credential_id uuid not null,
  id bigint generated always as identity,
  cidr cidr,
  target_id uuid,
  primary key (tenant_id, credential_id, id),
  foreign key (tenant_id, credential_id) references credentials (tenant_id, id) on delete cascade,
  check (num_nonnulls(cidr, target_id) = 1)
);
create index credential_bindings_of_target on credential_bindings (tenant_id, target_id) where target_id is not null;
select protect_table('credential_bindings');

-- What came of showing a credential to an address.
create table credential_addresses (
  tenant_id uuid not null,
  credential_id uuid not null,
  address inet not null,
  last_outcome text not null check (last_outcome in ('accepted', 'refused', 'unanswered')),
  last_at timestamptz not null,
  accepted_at timestamptz,
  refused_in_row smallint not null default 0,
  trips smallint not null default 0,
  open_until timestamptz,
  primary key (tenant_id, credential_id, address),
  foreign key (tenant_id, credential_id) references credentials (tenant_id, id) on delete cascade
);
select protect_table('credential_addresses');

-- The keys by which hosts are known, pinned at first sight. An offered key is one that was shown later and refused.
create table host_keys (
  tenant_id uuid not null,
  id uuid not null,
  address inet not null,
  port integer not null,
  algorithm text not null,
  fingerprint text not null,
  first_seen_at timestamptz not null default clock_timestamp(),
  last_seen_at timestamptz not null default clock_timestamp(),
  offered_algorithm text,
  offered_fingerprint text,
  offered_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, address, port, algorithm)
);
select protect_table('host_keys');
