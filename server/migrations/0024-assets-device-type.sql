-- What a device is for: what people said, else what recognition reads; written by the intake. Null: not worked out yet,
-- as in all assets of before.
alter table assets add column device_type text;
create index assets_newest_of_device_type on assets (tenant_id, device_type, last_seen, id);
