/**
 * Functions of the database that read tables of tenants as another role, and so past what a statement of a limited actor
 * says; `server/test/limits.test.ts` compares them with the migrations.
 */
export const readerFunctions: ReadonlySet<string> = new Set([
  'assets_with_software',
  'count_assets_by_any',
  'delete_closed_tenant_rows',
  'find_assets',
  'find_assets_by_any',
  'find_assets_in',
  'is_alone',
  'keep_daily_partitions',
  'link_audit_entries',
  'mark_holders_due',
  'request_feed_sync',
  'search_assets',
  'search_matches',
  'set_feed_enabled',
  'software_holders',
  'tagged_assets',
  'webhook_horizon',
])
