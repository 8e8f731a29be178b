-- Stale assets: no source has seen them for longer than expected. They stay in lists, and are out of checks and the
-- overview of risk.
alter table assets
  add column stale_after_days smallint default 30, -- without a sighting; null: never, people alone recorded it
  add column stale_since timestamptz;
alter table assets alter column stale_after_days drop default;
update assets set stale_after_days = case when source_kinds = array['manual'] then null else 3 end
  where source_kinds && array['agent', 'osquery', 'glpi', 'fusioninventory', 'ocs'] or source_kinds = array['manual'];
create index assets_stale on assets (tenant_id, id) where stale_since is not null and archived_at is null;

-- Who archived an asset, in the form in which conditions compare texts.
alter table assets add column normalized_archived_by text;
update assets set normalized_archived_by = trim(regexp_replace(lower(normalize(archived_by, nfkc)), '\s+', ' ', 'g'))
  where archived_by is not null;
