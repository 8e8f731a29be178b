-- The title in the form in which conditions compare texts.
alter table compliance_checks add column normalized_title text;
update compliance_checks set normalized_title = trim(regexp_replace(lower(normalize(title, nfkc)), '\s+', ' ', 'g'));
