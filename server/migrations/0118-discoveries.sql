-- Where the run asks no more because it did harm, [{at, reason}]; and at what pace it went, and why, when it was slowed.
alter table discovery_runs
  add column stops jsonb not null default '[]',
  add column slowed text not null default '';
