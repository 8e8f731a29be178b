-- What a person has automated: when something happens, do these steps. The steps stand in its versions.
create table flows (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  description text not null,
  enabled boolean not null default false,
  -- Why a guard has paused it; null: nothing did. The next switch by a person clears it.
  paused_reason text,
  -- Of the published version, else of the draft.
  trigger_kind text not null check (trigger_kind in ('event', 'schedule', 'manual')),
  published_version integer,
  last_triggered_at timestamptz,
  failures_in_a_row integer not null default 0,
  -- Of a schedule that is enabled: when it is due next.
  next_at timestamptz,
  archived_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
create index flows_newest on flows (tenant_id, created_at desc, id desc) where archived_at is null;
select protect_table('flows');

-- What a flow does, as it was written; published versions never change.
create table flow_versions (
  tenant_id uuid not null,
  flow_id uuid not null,
  n integer not null,
  state text not null check (state in ('draft', 'published', 'retired')),
  definition jsonb not null,
  -- With whose permissions the steps run; null: the owner of the machine, who published it on the command line.
  run_as uuid,
  published_at timestamptz,
  created_at timestamptz not null,
  primary key (tenant_id, flow_id, n),
  foreign key (tenant_id, flow_id) references flows (tenant_id, id) on delete cascade
);
create unique index flow_versions_one_draft on flow_versions (tenant_id, flow_id) where state = 'draft';
select protect_table('flow_versions');

-- Which enabled flows an event type starts: all that is asked in the transaction of an event.
create table flow_event_triggers (
  tenant_id uuid not null,
  event_type text not null,
  flow_id uuid not null,
  primary key (tenant_id, event_type, flow_id),
  foreign key (tenant_id, flow_id) references flows (tenant_id, id) on delete cascade
);
select protect_table('flow_event_triggers');

-- One execution of a flow. `new` until its condition and the guards have been asked; what the condition does not match
-- is deleted again.
create table flow_runs (
  tenant_id uuid not null,
  id uuid not null,
  flow_id uuid not null,
  version integer not null,
  status text not null check (status in ('new', 'pending', 'running', 'waiting', 'succeeded', 'failed', 'cancelled', 'skipped')),
  -- An event type, `schedule` or `manual`.
  cause text not null,
  -- One run for each event, due time and request, however often they are told.
  dedupe_key text not null,
  -- The flows that led here, the first one first: a flow that stands among them does not run again.
  chain uuid[] not null,
  asset_id uuid,
  -- {"event": payload, "steps": {name: output}}
  context jsonb not null,
  -- The instruction of the program that is next.
  cursor integer not null default 0,
  -- How often the instruction at the cursor has been tried.
  tries integer not null default 0,
  -- Counts claims: a worker that lost its claim changes nothing any more.
  claim integer not null default 0,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  -- Why it failed, or which guard skipped it.
  reason text,
  primary key (tenant_id, id),
  unique (tenant_id, flow_id, dedupe_key),
  foreign key (tenant_id, flow_id) references flows (tenant_id, id) on delete cascade
);
create index flow_runs_of_flow on flow_runs (tenant_id, flow_id, created_at desc, id desc);
create index flow_runs_new on flow_runs (tenant_id, created_at) where status = 'new';
create index flow_runs_of_asset on flow_runs (tenant_id, flow_id, asset_id, started_at) where asset_id is not null;
create index flow_runs_ended on flow_runs (tenant_id, finished_at) where finished_at is not null;
select protect_table('flow_runs');

-- What each step of a run did, in order.
create table flow_run_steps (
  tenant_id uuid not null,
  run_id uuid not null,
  n integer not null,
  -- Where it stands in the definition, for example steps[1].steps[0].
  path text not null,
  action text not null,
  status text not null check (status in ('done', 'failed', 'retrying')),
  started_at timestamptz not null,
  ms integer not null,
  input jsonb not null,
  output jsonb,
  fault text,
  primary key (tenant_id, run_id, n),
  foreign key (tenant_id, run_id) references flow_runs (tenant_id, id) on delete cascade
);
select protect_table('flow_run_steps');

-- Which run of which flow made a job necessary, so that what the job does is known to follow from it.
alter table jobs add column cause jsonb;
