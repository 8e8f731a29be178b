-- A view that is shared is there for everybody in the tenant; it stays its person's own to change.
alter table asset_views add column is_shared boolean not null default false;
create index asset_views_shared on asset_views (tenant_id, lower(name)) where is_shared;
