-- What people want to be told, and in which format. The status is that of the latest snapshot, written in the same
-- transaction; pending: saved with a schedule, and never generated.
create table reports (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  type text not null check (type in ('inventory_summary', 'compliance_report', 'asset_audit', 'software_license',
    'topology', 'budget_forecast', 'custom')),
  format text not null check (format in ('csv', 'pdf', 'excel', 'xml')),
  filter jsonb not null default '{}', -- {"assetIds": [], "period": ""}
  status text not null check (status in ('pending', 'generating', 'available', 'failed')),
  created_by jsonb not null,
  created_at timestamptz not null,
  schedule text, -- five fields of cron
  zone text, -- of the schedule, by its name in the IANA database
  next_run_at timestamptz,
  primary key (tenant_id, id),
  check ((schedule is null) = (zone is null))
);
create index reports_newest on reports (tenant_id, created_at, id);
create index reports_due on reports (next_run_at) where next_run_at is not null;
select protect_table('reports');

-- One generation of a report. `attempt` names the worker that may write: one that lost its lease holds an older attempt,
-- and its next chunk is refused.
create table report_snapshots (
  tenant_id uuid not null,
  id uuid not null,
  report_id uuid not null,
  status text not null check (status in ('generating', 'available', 'failed')),
  message text not null default '', -- how far it is, or why it failed
  attempt integer not null default 0,
  is_worked boolean not null default false,
  requested_at timestamptz not null,
  taken_at timestamptz, -- the state of the inventory that it shows
  generated_at timestamptz,
  dataset_digest bytea, -- SHA-256 of the dataset, not deflated
  renderer smallint, -- which version of the renderers made the file
  row_count integer, -- of the main table
  file_name text,
  file_digest bytea,
  file_bytes bigint,
  is_pinned boolean not null default false,
  primary key (tenant_id, id),
  foreign key (tenant_id, report_id) references reports (tenant_id, id) on delete cascade,
  check ((file_name is not null) = (status = 'available'))
);
create unique index report_snapshots_generating on report_snapshots (tenant_id, report_id) where status = 'generating';
create index report_snapshots_of_report on report_snapshots (tenant_id, report_id, requested_at);
create index report_snapshots_ended on report_snapshots (requested_at) where status <> 'generating';
select protect_table('report_snapshots');

-- The dataset of a snapshot, deflated, and the file that was made of it, in pieces.
create table report_chunks (
  tenant_id uuid not null,
  snapshot_id uuid not null,
  part text not null check (part in ('dataset', 'file')),
  n integer not null,
  content bytea not null,
  primary key (tenant_id, snapshot_id, part, n),
  foreign key (tenant_id, snapshot_id) references report_snapshots (tenant_id, id) on delete cascade
);
alter table report_chunks alter column content set storage external;
select protect_table('report_chunks');

-- How many assets there were, each night, by one thing that they have in common.
create table inventory_days (
  tenant_id uuid not null,
  day date not null,
  dimension text not null check (dimension in ('total', 'type', 'device_type', 'vendor', 'os', 'source', 'site')),
  value text not null,
  count bigint not null,
  primary key (tenant_id, day, dimension, value)
);
select protect_table('inventory_days');
