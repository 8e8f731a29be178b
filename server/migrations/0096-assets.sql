-- The TCP ports of which it is known whether they are open; NULL: of all, as after a login. Empty for what an earlier
-- version wrote: of the ports that it does not list nothing is known.
alter table assets add column known_ports integer[] default '{}';

-- How a host is protected; NULL was never collected.
alter table assets
  add column smb_signing text,
  add column smb_dialect text,
  add column snmp_version integer,
  add column tools_state text,
  add column certificate_ends timestamptz,
  add column is_self_signed boolean,
  add column is_disk_encrypted boolean,
  add column is_firewall_on boolean,
  add column is_antivirus_on boolean,
  add column is_guest_enabled boolean,
  add column is_default_admin_enabled boolean,
  add column has_second_root boolean,
  add column has_mfa boolean;

-- Rows that the job writes anew, since facets have a new generation.
drop index assets_without_facets;
create index assets_without_facets on assets (tenant_id) where facets_generation < 2;
