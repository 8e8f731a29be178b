-- Who gets the file of each scheduled generation: addresses of members and confirmed mail channels, or ids of channels.
alter table reports
  add column recipients text[] not null default '{}',
  add column paused_because text; -- the schedule stands still, and why

alter table report_snapshots add column is_scheduled boolean not null default false;
