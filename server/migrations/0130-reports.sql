-- How many findings are open is counted each night too.
alter table inventory_days drop constraint inventory_days_dimension_check;
alter table inventory_days add constraint inventory_days_dimension_check
  check (dimension in ('total', 'type', 'device_type', 'vendor', 'os', 'source', 'site', 'open_findings'));
