-- Which rows each transaction of a tenant wrote, so that answers which were worked out before can be brought up to date
-- (docs/decisions/0064). The number of a version grows by one with each such transaction, under the lock of the row, so the
-- order of numbers is that of commits.
alter table tenant_versions add column number bigint not null default 0;

-- A row for each of the last transactions, at least 2,048.
create table tenant_changes (
  tenant_id uuid not null,
  number bigint not null,
  version uuid not null, -- the version of the tenant with this number
  tables text[] not null, -- whose rows may have changed, any of them; `*`: of all tables
  subject_tables text[] not null, -- in which only rows of the following subjects changed
  subject_ids uuid[] not null,
  primary key (tenant_id, number)
);
select protect_table('tenant_changes');
