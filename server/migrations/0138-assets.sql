-- Names of which a person said that whoever has them is one device, whatever random MAC address it has: phones take
-- another one each week.
create table asset_remembered_names (
  tenant_id uuid not null,
  id uuid not null,
  scope text not null, -- the network in which it counts
  name text not null, -- bare, in lower case
  reason text not null,
  actor_kind text not null,
  actor_id text not null,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, scope, name)
);
select protect_table('asset_remembered_names');
