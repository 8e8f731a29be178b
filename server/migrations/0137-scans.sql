-- The site whose network a target is of: targets of one site share a network, whoever scans them.
alter table scan_targets
  add column site_id uuid,
  add foreign key (tenant_id, site_id) references places (tenant_id, id);
create index scan_targets_of_site on scan_targets (tenant_id, site_id) where site_id is not null;
