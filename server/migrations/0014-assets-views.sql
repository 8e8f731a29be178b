-- Ways to look at assets that people keep. The view is the app's own text: what is filtered, ordered and shown.
create table asset_views (
  id uuid primary key,
  tenant_id uuid not null,
  user_id text not null,
  name text not null,
  view jsonb not null,
  unique (tenant_id, user_id, name)
);
select protect_table('asset_views');
