-- The name in the form in which conditions compare texts.
alter table reports add column normalized_name text;
update reports set normalized_name = trim(regexp_replace(lower(normalize(name, nfkc)), '\s+', ' ', 'g'));
