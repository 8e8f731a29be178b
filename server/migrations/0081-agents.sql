alter table agents drop constraint agents_kind_check;
alter table agents add constraint agents_kind_check
  check (kind in ('agent', 'glpi', 'fusioninventory', 'ocs', 'osquery'));
-- Of our own agent: digests of the hardware that was first told, by its part, and of the sections that were taken last.
alter table agents add column fingerprint jsonb not null default '{}';
alter table agents add column section_hashes jsonb not null default '{}';

-- Public keys of our own agents. Requests name the key, so it is found before the tenant is known.
create table agent_keys (
  tenant_id uuid not null,
  -- SHA-256 of the raw public key
  key_id bytea not null unique,
  agent_id uuid not null,
  public_key bytea not null,
  -- of the latest request that was taken; every request must have a greater one
  counter bigint not null,
  -- Two hosts hold the key, or an older copy of one: whoever uses it must make a new one.
  must_change boolean not null default false,
  -- A new key took its place. It can still be replaced by the other host that holds it, and nothing else.
  retired_at timestamptz,
  created_at timestamptz not null,
  primary key (tenant_id, key_id),
  foreign key (tenant_id, agent_id) references agents (tenant_id, id)
) with (fillfactor = 70);
create index agent_keys_of_agent on agent_keys (tenant_id, agent_id);
select protect_table('agent_keys');
