-- Where a person worked last: an address that names no tenant leads there after signing in.
alter table users add column last_tenant_id uuid references tenants;
