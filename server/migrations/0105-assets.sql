-- What checks of compliance ask about, and what was not stored so far. NULL was never collected or never said.

-- The certificates that a source found: [{"ends": RFC 3339, "isSelfSigned": boolean, "isShown": boolean}], the first to
-- end first; `isShown`: on one of its ports.
alter table assets
  drop column certificate_ends,
  drop column is_self_signed,
  add column certificates jsonb,
  add column has_default_community boolean,
  add column signed_in_at timestamptz;

-- Rows that the job writes anew, since facets have a new generation.
drop index assets_without_facets;
create index assets_without_facets on assets (tenant_id) where facets_generation < 3;

-- What people decide: whether the asset may be there, and when somebody scanned it from outside last.
alter table asset_records
  add column approved text check (approved in ('yes', 'no')),
  add column externally_scanned_on date;

-- For which types of assets or devices a network is meant; NULL: nobody said.
alter table place_networks add column meant_for text[];

-- Until when CISA demands that a known exploited vulnerability is dealt with.
alter table vulnerabilities add column kev_due_on date;
update vulnerabilities v set kev_due_on = e.due_on from exploited_cves e where e.cve_id = v.cve_id;

-- Whether a newer kernel is installed than the one that runs.
alter table software_systems add column reboot_pending boolean;
