-- The flows that led to the change of an asset, the first one first; empty: a person or a source changed it.
alter table flow_changed_assets add column chain uuid[] not null default '{}';
