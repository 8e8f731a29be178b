-- Where the hourly look at a large estate goes on: it judges a part of the assets each time, and those for which time
-- passed what a check asks about.
create table compliance_rounds (
  tenant_id uuid not null,
  -- Until when it is known for which assets time passed; the beginning of the last round or look.
  looked_until timestamptz not null,
  -- The asset that the last look ended with; null: the next begins with the first.
  last_asset_id uuid,
  -- As of when the feeds in use were at that time.
  feeds_read_at timestamptz,
  primary key (tenant_id)
);
select protect_table('compliance_rounds');
