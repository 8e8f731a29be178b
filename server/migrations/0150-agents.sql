-- Of osquery: queries that failed at the host since they last ran, by their name: how often, and when last.
alter table agents add column query_failures jsonb not null default '{}';
