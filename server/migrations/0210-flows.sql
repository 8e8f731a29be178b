-- The name in the form in which conditions compare texts, and runs of all flows in the order of their list.
alter table flows add column normalized_name text;
update flows set normalized_name = trim(regexp_replace(lower(normalize(name, nfkc)), '\s+', ' ', 'g'));
create index flow_runs_newest on flow_runs (tenant_id, created_at desc, id desc);
