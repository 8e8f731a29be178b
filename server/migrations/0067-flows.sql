-- Tries of a definition over the events of the last days: what it would have run for.
create table flow_back_tests (
  tenant_id uuid not null,
  id uuid not null,
  -- Null: of a definition that is no flow yet.
  flow_id uuid,
  definition jsonb not null,
  days integer not null,
  status text not null check (status in ('running', 'completed', 'failed')),
  -- Events to look at, and how many have been.
  total integer not null default 0,
  done integer not null default 0,
  result jsonb,
  message text not null default '',
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, flow_id) references flows (tenant_id, id) on delete cascade
);
create index flow_back_tests_of_flow on flow_back_tests (tenant_id, flow_id, created_at desc);
select protect_table('flow_back_tests');

create index flows_with_query on flows (tenant_id) where enabled and trigger_kind = 'query';
