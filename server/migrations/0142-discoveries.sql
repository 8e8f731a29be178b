-- What metrics ask about the runs of all tenants: those that are under way, and those that ended within a day.
create index discovery_runs_by_end on discovery_runs (finished_at desc nulls first);
