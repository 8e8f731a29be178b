-- Kubernetes clusters are read like clouds: nodes, workloads, and the cluster with the images that run in it.
alter table cloud_connections drop constraint cloud_connections_provider_check;
alter table cloud_connections add constraint cloud_connections_provider_check
  check (provider in ('AWS', 'Azure', 'GCP', 'Kubernetes'));
alter table cloud_scopes drop constraint cloud_scopes_type_check;
alter table cloud_scopes add constraint cloud_scopes_type_check
  check (type in ('compute', 'database', 'storage', 'kubernetes', 'function', 'workload'));
