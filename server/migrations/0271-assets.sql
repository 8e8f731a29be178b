-- Whether unlinking made the constraint: taking back that two assets are kept apart leaves it. Of constraints of before
-- nobody knows, so they are taken back as they were.
alter table asset_constraints add column is_of_unlink boolean not null default false;
