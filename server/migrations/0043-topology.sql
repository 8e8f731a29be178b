-- What people say about two assets: `from_id` runs on, is connected to, is part of, depends on or is used by `to_id`.
create table asset_relations (
  tenant_id uuid not null,
  id uuid not null,
  from_id uuid not null,
  to_id uuid not null,
  kind text not null check (kind in ('runs_on', 'connected_to', 'part_of', 'depends_on', 'used_by')),
  note text not null,
  created_by text not null, -- the person's address, or kind and id
  created_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, from_id, to_id, kind),
  check (from_id <> to_id)
);
create index asset_relations_to on asset_relations (tenant_id, to_id);
select protect_table('asset_relations');

-- Links that observations report: who is behind which port, and on which host a virtual machine runs. Derived from the
-- facts of `observation_id` again and again; a link that `derived_at` the last run does not have is deleted.
create table topology_links (
  tenant_id uuid not null,
  a_asset uuid not null,
  a_port text not null, -- empty: not reported
  kind text not null check (kind in ('lldp', 'cdp', 'fdb', 'arp', 'vm_on_host')),
  b_text text not null, -- the other end as it was reported: a name, MAC or IP address
  b_asset uuid, -- null: no asset, or more than one, is known by that
  b_port text not null,
  vlan integer,
  observation_id uuid not null,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  derived_at timestamptz not null,
  primary key (tenant_id, a_asset, kind, a_port, b_text)
);
create index topology_links_b on topology_links (tenant_id, b_asset) where b_asset is not null;
create index topology_links_derived on topology_links (tenant_id, derived_at);
select protect_table('topology_links');
