-- Processes elsewhere that carry out scans where the server does not reach.
create table collectors (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  created_at timestamptz not null,
  -- null until it has enrolled
  enrolled_at timestamptz,
  version text not null default '',
  address text not null default '',
  last_seen_at timestamptz,
  revoked_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, name)
) with (fillfactor = 70);
select protect_table('collectors');

-- A request names the key that signed it, and an enrolment its secret: both are found before the tenant is known.
create table collector_keys (
  tenant_id uuid not null,
  collector_id uuid not null,
  -- SHA-256 of the secret with which it enrols; null when it has
  enrolment_hash bytea unique,
  enrolment_ends_at timestamptz not null,
  -- SHA-256 of the raw Ed25519 public key that signs its requests
  key_id bytea unique,
  public_key bytea,
  -- X25519 as a JSON Web Key (RFC 8037): what only the collector may read is encrypted to it
  exchange_key jsonb,
  -- of the latest request that was taken; every request must have a greater one
  counter bigint not null default 0,
  revoked_at timestamptz,
  primary key (tenant_id, collector_id),
  foreign key (tenant_id, collector_id) references collectors (tenant_id, id) on delete cascade
) with (fillfactor = 70);
select protect_table('collector_keys');

-- One piece of work of one collector. The row goes when the work is over.
create table collector_assignments (
  tenant_id uuid not null,
  id uuid not null,
  collector_id uuid not null,
  -- what it is done for, such as a scan: another attempt takes its place
  subject text not null,
  -- JSON of what is to be done; text, because answers of hosts hold characters that jsonb refuses
  work text not null,
  created_at timestamptz not null default clock_timestamp(),
  -- the process that took it; another process of the same collector knows nothing of it
  process uuid,
  primary key (tenant_id, id),
  foreign key (tenant_id, collector_id) references collectors (tenant_id, id) on delete cascade
) with (fillfactor = 70);
create index collector_assignments_of_collector on collector_assignments (tenant_id, collector_id);
select protect_table('collector_assignments');

-- What the collector says of its work, and the answers to its questions, each under the number of the question.
create table collector_messages (
  tenant_id uuid not null,
  assignment_id uuid not null,
  is_answer boolean not null,
  number integer not null,
  body text not null,
  primary key (tenant_id, assignment_id, is_answer, number),
  foreign key (tenant_id, assignment_id) references collector_assignments (tenant_id, id) on delete cascade
);
select protect_table('collector_messages');
