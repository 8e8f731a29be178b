-- Scans that are not finished, which metrics count over all tenants.
create index scans_unfinished on scans (status) where finished_at is null;
