-- The name in the form in which conditions compare texts.
alter table discovery_runs add column normalized_name text;
update discovery_runs set normalized_name = trim(regexp_replace(lower(normalize(name, nfkc)), '\s+', ' ', 'g'));
