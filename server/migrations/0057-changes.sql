-- The number of each tenant's last change. Its row is locked by the last statement before a commit that writes changes, so
-- that numbers become visible in their order: who has read up to one never misses a lesser one.
create table change_heads (
  tenant_id uuid not null,
  position bigint not null,
  removed_to bigint not null default 0, -- changes up to here are older than the retention
  primary key (tenant_id)
) with (fillfactor = 50);
select protect_table('change_heads');

-- What changed in the estate, of all kinds, in one order. Written in the transaction of the change.
create table asset_changes (
  tenant_id uuid not null,
  position bigint not null,
  at timestamptz not null, -- by the database's clock
  kind text not null,
  asset_id uuid, -- null: about no single asset
  asset_name text not null, -- as it was then
  subject text not null, -- of a field its name, of software its name, of a finding the CVE
  before jsonb,
  after jsonb,
  related_id uuid, -- the finding, the other asset or the source
  changed_by text not null,
  primary key (tenant_id, position)
);
create index asset_changes_by_time on asset_changes (tenant_id, at);
create index asset_changes_of_asset on asset_changes (tenant_id, asset_id, position);
select protect_table('asset_changes');
