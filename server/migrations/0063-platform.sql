-- A random id that the last statement before the commit of each transaction replaces which wrote for the tenant. As long
-- as it is the same, nothing of the tenant has changed: an answer that was worked out then is still right.
create table tenant_versions (
  tenant_id uuid primary key,
  version uuid not null
) with (fillfactor = 50);
select protect_table('tenant_versions');
