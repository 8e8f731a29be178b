-- Files that were brought to be imported, and what came of them. `attempt` names the worker that may write: one that
-- lost its lease holds an older attempt, and its next batch is undone. The counts are of the batches that are
-- committed, in the same transaction.
create table imports (
  id uuid not null default gen_random_uuid(),
  tenant_id uuid not null,
  -- Given by who uploads, so that a request that is sent again is no second upload.
  upload_key text not null,
  name text not null,
  bytes integer not null,
  received integer not null default 0,
  -- SHA-256 of the content; known when it was looked through.
  digest bytea,
  status text not null
    check (status in ('uploading', 'checking', 'ready', 'waiting', 'running', 'completed', 'failed', 'cancelled')),
  message text not null default '',
  -- What people chose: the columns of a table, the thing that a list of software is of.
  options jsonb not null default '{}',
  preview jsonb,
  format text,
  -- SHA-256 of content and options: the same is not imported twice at once.
  same_key bytea,
  attempt integer not null default 0,
  is_worked boolean not null default false,
  bytes_read integer not null default 0,
  readings integer not null default 0,
  observed integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  rejected_total integer not null default 0,
  -- The first of what was not taken.
  rejected jsonb not null default '[]',
  started_by jsonb,
  created_at timestamptz not null default clock_timestamp(),
  touched_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  finished_at timestamptz,
  primary key (tenant_id, id),
  check ((finished_at is not null) = (status in ('completed', 'failed', 'cancelled')))
);
create unique index imports_by_upload_key on imports (tenant_id, upload_key);
create index imports_newest_first on imports (tenant_id, created_at desc, id);
create unique index imports_under_way on imports (tenant_id, same_key) where status in ('waiting', 'running');
create index imports_unfinished on imports (touched_at) where finished_at is null;
select protect_table('imports');

-- The content of a file until its import ends.
create table import_chunks (
  tenant_id uuid not null,
  import_id uuid not null,
  -- Of the first byte.
  position integer not null,
  content bytea not null,
  primary key (tenant_id, import_id, position),
  foreign key (tenant_id, import_id) references imports (tenant_id, id) on delete cascade
);
alter table import_chunks alter column content set storage external;
select protect_table('import_chunks');

-- Which columns a table of these titles has, as people said it last.
create table import_mappings (
  tenant_id uuid not null,
  source text not null,
  -- SHA-256 of the titles.
  header bytea not null,
  columns jsonb not null,
  used_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, source, header)
);
select protect_table('import_mappings');
