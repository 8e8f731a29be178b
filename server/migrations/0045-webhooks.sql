-- The partner whose endpoint it is; null: the tenant's own. The engine delivers to both alike.
alter table webhook_endpoints add column partner_id uuid;
create index webhook_endpoints_of_partner on webhook_endpoints (tenant_id, partner_id, created_at)
  where partner_id is not null and deleted_at is null;
