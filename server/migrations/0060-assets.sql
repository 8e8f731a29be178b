-- The site where an asset is, as its name and as conditions compare it: of the recorded place, else of the longest
-- network of a place that has the address. Null: neither is known. Written with the asset; a job writes it anew when
-- places change.
alter table assets add column site text, add column normalized_site text;
create index assets_by_site on assets (tenant_id, normalized_site) where normalized_site is not null;

insert into jobs (tenant_id, name, attempts_max, payload)
select distinct tenant_id, 'assets.updateSites', 5, '{}'::jsonb from places;

-- The name of a custom field in conditions, imports and exports (`custom.KEY`), and earlier ones, which stored conditions
-- may still use.
alter table asset_custom_fields add column key text, add column aliases text[] not null default '{}';
update asset_custom_fields f set key = k.key || case when k.nth > 1 then '_' || k.nth else '' end
from (
  select tenant_id, id, key, row_number() over (partition by tenant_id, key order by id) as nth
  from (
    select tenant_id, id,
      coalesce(nullif(trim(both '_' from
        regexp_replace(lower(name collate "C") collate "C", '[^a-z0-9]+', '_', 'g')), ''), 'field') as key
    from asset_custom_fields
  ) named
) k
where f.tenant_id = k.tenant_id and f.id = k.id;
alter table asset_custom_fields
  alter column key set not null,
  add constraint asset_custom_fields_key unique (tenant_id, key);

-- Values of custom fields by the id of the field, as conditions compare them: texts normalized. Written with the values.
alter table assets add column custom jsonb not null default '{}';

insert into jobs (tenant_id, name, attempts_max, payload)
select distinct tenant_id, 'assets.refreshCustomValues', 5, '{}'::jsonb from asset_custom_values;

-- A named condition: its members are the assets for which it is true at the moment of asking.
create table asset_groups (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  normalized_name text not null, -- as conditions compare it
  aliases text[] not null default '{}', -- names that it had before, which stored conditions may still use
  description text not null default '',
  condition text not null,
  language_version smallint not null, -- of the language that the condition is written in
  changed_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, normalized_name)
);
select protect_table('asset_groups');
