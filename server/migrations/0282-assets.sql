-- How many observations each source has, of living and of archived assets, written in the transaction of the change: the
-- overview asks for them, and to count them it had to read every observation.
create table asset_observation_counts (
  tenant_id uuid not null,
  source_id uuid not null,
  n bigint not null,
  primary key (tenant_id, source_id)
) with (fillfactor = 50);
insert into asset_observation_counts (tenant_id, source_id, n)
  select tenant_id, source_id, count(*) from asset_observations group by tenant_id, source_id;
select protect_table('asset_observation_counts');
