-- A condition on assets that limits what the holder sees and changes; null: the whole organisation.
alter table api_keys add column limited_to text;
alter table roles add column limited_to text check (limited_to is null or built_in is null);
