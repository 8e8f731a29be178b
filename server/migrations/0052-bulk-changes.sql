-- One change of many assets, worked on 500 assets a transaction. The row says how far it has come.
create table bulk_changes (
  tenant_id uuid not null,
  id uuid not null,
  verb text not null,
  given jsonb not null, -- the values to set, as the verb checked them
  condition text, -- which assets; null: those that were named, or those of the change that is undone
  collected_to uuid, -- the greatest id that the condition was asked for
  confirmed integer, -- how many assets a person agreed to delete
  status text not null check (status in ('collecting', 'running', 'completed', 'cancelled', 'failed')),
  message text not null default '',
  total integer not null default 0,
  done integer not null default 0,
  changed integer not null default 0,
  failures smallint not null default 0, -- since the last batch that was committed
  undo_of uuid,
  started_by jsonb not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, undo_of) references bulk_changes (tenant_id, id)
);
create index bulk_changes_newest on bulk_changes (tenant_id, created_at);
create index bulk_changes_unfinished on bulk_changes (tenant_id) where finished_at is null;
-- A change is undone once.
create unique index bulk_changes_undone on bulk_changes (tenant_id, undo_of)
  where undo_of is not null and status not in ('cancelled', 'failed');
select protect_table('bulk_changes');

-- The assets of a change. `previous` is what the asset had, if the change changed it: what undoing restores.
create table bulk_change_assets (
  tenant_id uuid not null,
  change_id uuid not null,
  asset_id uuid not null,
  is_done boolean not null default false,
  previous jsonb,
  restoring jsonb, -- of a change that undoes another: what the asset gets
  primary key (tenant_id, change_id, asset_id),
  foreign key (tenant_id, change_id) references bulk_changes (tenant_id, id) on delete cascade
);
create index bulk_change_assets_waiting on bulk_change_assets (tenant_id, change_id, asset_id) where not is_done;
select protect_table('bulk_change_assets');
