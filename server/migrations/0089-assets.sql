-- Pairs of assets that a person or a flow takes for one, until they are merged or kept apart; asset_a is the lesser id.
create table asset_merge_suggestions (
  tenant_id uuid not null,
  asset_a uuid not null,
  asset_b uuid not null,
  reason text not null,
  suggested_by text not null, -- the person's address, or kind and id
  flow_id uuid, -- of the run that suggested it
  suggested_at timestamptz not null,
  primary key (tenant_id, asset_a, asset_b),
  foreign key (tenant_id, asset_a) references assets (tenant_id, id) on delete cascade,
  foreign key (tenant_id, asset_b) references assets (tenant_id, id) on delete cascade,
  check (asset_a < asset_b)
);
create index asset_merge_suggestions_b on asset_merge_suggestions (tenant_id, asset_b);
select protect_table('asset_merge_suggestions');
