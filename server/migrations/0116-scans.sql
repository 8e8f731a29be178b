-- The collectors that scan a target, each in place of the server. None: the server does.
create table scan_target_collectors (
  tenant_id uuid not null,
  target_id uuid not null,
  collector_id uuid not null,
  primary key (tenant_id, target_id, collector_id),
  foreign key (tenant_id, target_id) references scan_targets (tenant_id, id) on delete cascade,
  foreign key (tenant_id, collector_id) references collectors (tenant_id, id)
);
create index scan_target_collectors_of_collector on scan_target_collectors (tenant_id, collector_id);
select protect_table('scan_target_collectors');
