/** Functions of stores whose statements may break the rules, and why. At most fifteen. */
export const exceptions: Readonly<Record<string, string>> = {
  'features/assets/recognition/recognition-backlog-store.ts tenantsWithBacklog':
    'finds the tenants that have work',
  'features/assets/listing/filter-and-sort-store.ts count':
    'counts by the search index what many have, where asking each asset takes long; nothing else calls a function beside a table',
  'features/credentials/encryption/data-key-store.ts tenantsWithKeys': 'finds the tenants that have work',
  'features/imports/store.ts removeOld': 'removes by age, of all tenants',
  'features/scans/results/result-store.ts removeOld': 'removes by age, of all tenants',
  'features/software/inventory/inventory-store.ts removeChangesBefore': 'removes by age, of all tenants',
  'features/vulnerabilities/matching/matching-queue-store.ts tenantsBehind':
    'finds the tenants that have work',
  'features/vulnerabilities/matching/matching-queue-store.ts tenantsWithMissedMatches':
    'finds the tenants that have work',
  'features/vulnerabilities/overrides/override-store.ts tenantsWithExpired':
    'finds what has ended, of all tenants',
  'features/vulnerabilities/risk/risk-store.ts tenants': 'finds the tenants that have work',
  'platform/observability/all-tenants.ts countOverTenants': 'counts for metrics, of all tenants',
  'platform/cli/tenant-of-row.ts tenantOfRow': 'for a person at the command line who knows the id alone',
  'platform/secrets/reseal.ts reseal':
    'seals the secrets of all tenants anew with another key of the installation',
}
