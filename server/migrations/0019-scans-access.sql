-- Who started it, for the log of what was shown to hosts on whose behalf.
alter table scans add column started_by jsonb;

-- What a scan saw of each host, as read and as the host said it; of a limited size, kept for a limited time. Known
-- secrets are taken out before it is written.
create table scan_results (
  id bigint generated always as identity primary key,
  tenant_id uuid not null,
  scan_id uuid not null references scans on delete cascade,
  -- An address or a host name; what the source calls it where it has neither.
  host text not null,
  name text not null,
  read jsonb not null,
  is_cut boolean not null,
  raw jsonb not null default '[]',
  seen_at timestamptz not null default clock_timestamp()
);
create index scan_results_of_scan on scan_results (scan_id, id);
create index scan_results_by_age on scan_results (seen_at);
select protect_table('scan_results');
