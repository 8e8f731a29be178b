-- Of an export of another inventory: what it and all other sources missed, as it was when the import ended.
alter table imports add column comparison jsonb;
