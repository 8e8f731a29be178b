-- When a sweep of the network ended last; a sweep that failed or was cancelled is none.
create table swept_networks (
  tenant_id uuid not null,
  network cidr not null,
  swept_at timestamptz not null,
  primary key (tenant_id, network)
);
create index swept_networks_with on swept_networks using gist (network inet_ops);
select protect_table('swept_networks');
