-- The network in which addresses that a collector reports are of one machine. Collectors that are there already report
-- into the one network that all scans had until now; each new one has its own.
alter table collectors add column scope text not null default 'default';
alter table collectors alter column scope drop default;
