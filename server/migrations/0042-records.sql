-- Where things stand: sites, the buildings of a site, the rooms of either.
create table places (
  tenant_id uuid not null,
  id uuid not null,
  parent_id uuid,
  name text not null,
  normalized_name text not null, -- as conditions compare it
  kind text not null check (kind in ('site', 'building', 'room')),
  primary key (tenant_id, id),
  unique nulls not distinct (tenant_id, parent_id, name),
  foreign key (tenant_id, parent_id) references places (tenant_id, id),
  check ((kind = 'site') = (parent_id is null))
);
select protect_table('places');

-- The networks of a place: an asset without a recorded place is where the longest of them that has its address is.
create table place_networks (
  tenant_id uuid not null,
  network cidr not null,
  place_id uuid not null,
  primary key (tenant_id, network),
  foreign key (tenant_id, place_id) references places (tenant_id, id) on delete cascade
);
create index place_networks_with on place_networks using gist (network inet_ops);
create index place_networks_of_place on place_networks (tenant_id, place_id);
select protect_table('place_networks');

-- What people and imported files say about an asset that no scan can see. Null: not recorded. The row goes to the
-- survivor of a merge, so nothing leads to `assets` that would delete it first.
create table asset_records (
  tenant_id uuid not null,
  asset_id uuid not null,
  owner text, -- a person or a team
  owner_id uuid, -- the member whose address `owner` is
  department text,
  cost_centre text,
  place_id uuid,
  state text check (state in ('ordered', 'in_use', 'in_stock', 'in_repair', 'retired', 'lost')),
  purchased_on date,
  price numeric(14, 2),
  currency text,
  supplier text,
  order_number text,
  warranty_ends date,
  lease_ends date,
  replace_on date,
  hardware_eol date,
  notes text,
  -- As conditions compare them.
  normalized_owner text,
  normalized_department text,
  normalized_cost_centre text,
  normalized_supplier text,
  normalized_order_number text,
  -- By field, who said it: {"owner": {"source": "person" or "import", "by": text, "at": RFC 3339}}.
  origins jsonb not null default '{}',
  primary key (tenant_id, asset_id),
  foreign key (tenant_id, place_id) references places (tenant_id, id),
  check (price is null or currency is not null)
);
create index asset_records_by_owner on asset_records (tenant_id, normalized_owner) where owner is not null;
create index asset_records_by_department on asset_records (tenant_id, normalized_department)
  where department is not null;
create index asset_records_by_place on asset_records (tenant_id, place_id) where place_id is not null;
create index asset_records_by_state on asset_records (tenant_id, state) where state is not null;
create index asset_records_by_warranty on asset_records (tenant_id, warranty_ends) where warranty_ends is not null;
select protect_table('asset_records');

-- Null: any value of the kind. Fields are listed by place, then by name.
alter table asset_custom_fields
  add column choices text[],
  add column place integer not null default 0;

-- What was agreed with a supplier.
create table contracts (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  supplier text,
  number text,
  begins date,
  ends date,
  cost numeric(14, 2),
  currency text,
  notes text,
  primary key (tenant_id, id),
  unique (tenant_id, name),
  check (cost is null or currency is not null)
);
select protect_table('contracts');

-- The right to use a product so many times.
create table entitlements (
  tenant_id uuid not null,
  id uuid not null,
  product text not null,
  vendor text,
  metric text not null check (metric in ('device', 'user', 'core', 'site', 'concurrent')),
  count integer check (count >= 0), -- null: without limit
  version_from text,
  version_to text,
  begins date,
  ends date,
  cost numeric(14, 2),
  currency text,
  contract_id uuid,
  notes text,
  primary key (tenant_id, id),
  foreign key (tenant_id, contract_id) references contracts (tenant_id, id),
  check (cost is null or currency is not null)
);
create index entitlements_of_contract on entitlements (tenant_id, contract_id) where contract_id is not null;
select protect_table('entitlements');

-- To which asset or person a use is assigned.
create table entitlement_uses (
  tenant_id uuid not null,
  id uuid not null,
  entitlement_id uuid not null,
  asset_id uuid,
  person text,
  assigned_at timestamptz not null,
  primary key (tenant_id, id),
  unique nulls not distinct (tenant_id, entitlement_id, asset_id, person),
  foreign key (tenant_id, entitlement_id) references entitlements (tenant_id, id) on delete cascade,
  check ((asset_id is null) <> (person is null))
);
create index entitlement_uses_of_asset on entitlement_uses (tenant_id, asset_id) where asset_id is not null;
select protect_table('entitlement_uses');
