-- What conditions ask about, as typed values worked out when the asset is written: so no query reads the payloads of
-- observations. NULL was never collected. Texts are normalized as `normalizeText` does it; SQL normalizes none. They are columns of
-- the asset, not a table beside it: docs/decisions/0040 has the figures.
alter table assets
  add column normalized_name text,
  add column normalized_hostname text,
  add column normalized_os text,
  add column normalized_vendor text,
  add column normalized_model text,
  add column normalized_serial text,
  add column os_family text,
  add column os_name text,
  add column os_version text,
  add column addresses inet[], -- of all interfaces, as of now
  add column macs text[],
  add column normalized_tags text[],
  add column source_names text[],
  add column source_kinds text[],
  add column open_ports integer[],
  add column services text[],
  add column memory_bytes double precision,
  add column disk_bytes double precision,
  add column cpu_count integer,
  add column booted_at timestamptz,
  add column bios_version text,
  -- Which version of the program worked these out; rows of an earlier one are written anew by a job.
  add column facets_generation smallint not null default 0;

-- Rows that the job has yet to write; made anew by the migration that raises the generation.
create index assets_without_facets on assets (tenant_id) where facets_generation < 1;
