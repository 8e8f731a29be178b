-- The site where an asset is, as its name and as conditions compare it: of the recorded place, else of the longest
-- network of a place that has the address. Null: neither is known. Written with the asset; a job writes it anew when
-- places change.
alter table assets add column site text, add column normalized_site text;
create index assets_by_site on assets (tenant_id, normalized_site) where normalized_site is not null;

insert into jobs (tenant_id, name, attempts_max, payload)
select distinct tenant_id, 'assets.updateSites', 5, '{}'::jsonb from places;
