-- Of who made it: the condition of the role or key, read again whenever rows are collected or assets are changed.
alter table reports add column limited_to text; -- null: all assets of the organisation
alter table bulk_changes add column limited_to text; -- likewise
