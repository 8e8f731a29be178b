-- Which process is the collector now, and which was before; when one that was before asked for work again.
alter table collectors
  add column process uuid,
  add column former_process uuid,
  add column shared_at timestamptz;
