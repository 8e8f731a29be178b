-- Secrets with which agents on endpoints report into a tenant. They are found by the digest of the secret before the
-- tenant is known, so the server asks for them as rollcall_system.
create table enrolment_tokens (
  tenant_id uuid not null references tenants,
  id uuid not null,
  name text not null,
  prefix text not null,
  token_hash bytea not null unique,
  -- given to every asset that an agent with this token reports
  tags text[] not null default '{}',
  -- CIDRs from which the token is taken; empty: from anywhere
  networks text[] not null default '{}',
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  primary key (tenant_id, id)
);
select protect_table('enrolment_tokens');

-- Hosts that report by an agent of their own.
create table agents (
  tenant_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('glpi', 'fusioninventory', 'ocs', 'osquery')),
  -- What the agent calls itself. Cloned hosts share it, a reinstalled host changes it.
  device_id text not null,
  -- The key of its observation: the device id when it was first seen, with #2 and so on for further hosts of that id.
  source_key text not null,
  token_id uuid not null,
  name text not null default '',
  version text not null default '',
  address text not null default '',
  -- Of the latest report, normalised; null when absent or junk.
  serial text,
  smbios_uuid text,
  -- Of osquery: the digest of the key that the host was given when it enrolled, and when that was.
  node_key_hash bytea,
  enrolled_at timestamptz,
  -- What the latest reports said of each category, without software: a partial report replaces the categories it has.
  content jsonb not null default '{}',
  -- Package managers that the latest list of software named.
  software_origins text[] not null default '{}',
  first_seen_at timestamptz not null,
  last_contact_at timestamptz not null,
  last_report_at timestamptz,
  -- Why the latest report was refused; empty when it was taken.
  problem text not null default '',
  primary key (tenant_id, id),
  unique (tenant_id, kind, source_key)
) with (fillfactor = 70);
create index agents_of_device on agents (tenant_id, kind, device_id);
create index agents_by_name on agents (tenant_id, name, id);
create unique index agents_by_node_key on agents (tenant_id, node_key_hash) where node_key_hash is not null;
select protect_table('agents');
