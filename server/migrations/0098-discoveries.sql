-- Networks of the run that its machine had no route to: nothing is known of what lives there.
alter table discovery_runs add column unreachable text[] not null default '{}';
