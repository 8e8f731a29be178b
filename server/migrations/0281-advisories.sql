-- A record may stand in several files of a feed: an advisory of OSV in the archive of each ecosystem whose packages it
-- names. It goes when the last of them no longer holds it. Empty: only files that add have told it.
drop index advisories_of_part;
alter table advisories alter column part type text[] using array[part];
alter table advisories rename column part to parts;
update advisories a set parts = '{}'
where not exists (
  select from advisory_parts p where p.feed = a.feed and p.part = a.parts[1] and p.records > 0);
create index advisories_of_parts on advisories (feed, parts);
create index advisories_in_several_parts on advisories (feed) where cardinality(parts) > 1;

-- Until now a record was known to be in one file alone, and those of SUSE replaced what others said of the same
-- vulnerability: the next sync reads all files of both feeds again.
update advisory_parts set etag = null, last_modified = null, checksum = null, position = null
where feed in ('osv', 'suse');
