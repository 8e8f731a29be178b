-- Which run of a discovery a scan belongs to: its id, name and cause. Null: it was started by itself.
alter table scans add column run jsonb;

-- What each scan sent to each device that it found: one row for a scan and an address, added up over its attempts.
create table device_touches (
  tenant_id uuid not null,
  scan_id uuid not null,
  address inet not null,
  asset_id uuid, -- null: nothing was taken in from the address yet, or the asset is gone
  began_at timestamptz not null,
  seconds real not null,
  packets integer not null,
  probes integer not null,
  logins integer not null,
  -- The kernel did not tell the packets of some connection.
  is_estimated boolean not null,
  primary key (tenant_id, scan_id, address),
  foreign key (tenant_id, scan_id) references scans (tenant_id, id) on delete cascade
);
create index device_touches_of_asset on device_touches (tenant_id, asset_id, began_at desc) where asset_id is not null;
create index device_touches_of_address on device_touches (tenant_id, address, began_at desc);
create index device_touches_by_age on device_touches (tenant_id, began_at);
select protect_table('device_touches');
