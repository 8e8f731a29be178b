-- Bulk changes are of assets or of findings; the verb says which.
alter table bulk_change_assets rename to bulk_change_items;
alter table bulk_change_items rename column asset_id to item_id; -- an asset or a finding
alter index bulk_change_assets_waiting rename to bulk_change_items_waiting;
alter table bulk_change_items rename constraint bulk_change_assets_pkey to bulk_change_items_pkey;
alter table bulk_change_items
  rename constraint bulk_change_assets_tenant_id_change_id_fkey to bulk_change_items_tenant_id_change_id_fkey;

-- Signing is the installation's: the private half, though sealed, is not for the role of tenants.
revoke all on audit_signing_key from rollcall_app;
