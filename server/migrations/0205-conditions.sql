-- Saved views of any list, which were of assets alone: a view belongs to a subject, the noun that its condition is about, and
-- each list has names of its own for its views. The rest of a view is the app's own.
create table saved_views (
  tenant_id uuid not null,
  id uuid not null,
  user_id text not null,
  subject text not null,
  name text not null,
  view jsonb not null,
  condition text,
  is_shared boolean not null default false,
  primary key (tenant_id, id),
  unique (tenant_id, user_id, subject, name)
);
create index saved_views_shared on saved_views (tenant_id, subject, lower(name)) where is_shared;
insert into saved_views (tenant_id, id, user_id, subject, name, view, condition, is_shared)
select tenant_id, id, user_id, 'asset', name, view, condition, is_shared from asset_views;
select protect_table('saved_views');
drop table asset_views;
