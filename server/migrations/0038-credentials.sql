-- Whether a scan asks a person before the secret goes to a host whose key is not known; else the key that the host
-- shows first is taken for its own. Credentials that were stored before keep to that.
alter table credentials add column ask_on_unknown_host boolean not null default false;

-- `waiting`: shown by a host that nobody knows, until a person approves or refuses it. `refused`: not the host's, as a
-- person said. The scan that met it can be repeated once it is known.
alter table host_keys
  add column trust text not null default 'known' check (trust in ('known', 'waiting', 'refused')),
  add column scan_id uuid;

-- Lines of OpenSSH's known_hosts (sshd(8), SSH_KNOWN_HOSTS FILE FORMAT), by which a host's key is known at first sight.
-- `hosts` is as in the file: patterns parted by commas, or one hashed name.
create table known_hosts (
  tenant_id uuid not null,
  id uuid not null,
  hosts text not null,
  algorithm text not null,
  fingerprint text not null,
  is_revoked boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  unique (tenant_id, hosts, algorithm, fingerprint)
);
select protect_table('known_hosts');
