import { assetOperations } from './asset-operations.ts'
import { cloudOperations } from './cloud-operations.ts'
import { complianceOperations } from './compliance-operations.ts'
import { discoveryOperations } from './discovery-operations.ts'
import { flowOperations } from './flow-operations.ts'
import { noticeOperations } from './notice-operations.ts'
import { list, mutation, open, query, type IdOf, type Operation } from './operation.ts'
import { reportOperations } from './report-operations.ts'

export { nouns, type IdOf, type Noun, type Operation } from './operation.ts'

/** Of ssh-ed25519, as in known_hosts. */
export const PUBLIC_KEY = 'AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH'

export const operations: Readonly<Record<string, Operation>> = {
  apiKeys: list('api_keys:read', '{ id name scopes }'),
  createApiKey: mutation('api_keys:write', () => '(name: "k", scopes: [read]) { apiKey { id } }'),
  rotateApiKey: mutation('api_keys:write', (id) => `(id: "${id('apiKey')}") { apiKey { id } }`),
  revokeApiKey: mutation('api_keys:write', (id) => `(id: "${id('apiKey')}") { id }`),

  demo: query('assets:read', () => '{ assets filledAt }'),
  overviewLayout: query('assets:read', () => '{ tiles hidden }'),
  setOverviewLayout: mutation('assets:read', () => '(tiles: ["trends"], hidden: []) { tiles }'),

  ...assetOperations,

  conditionFields: query(
    'assets:read',
    () => '{ fields { name type comparisons values } collections { name fields { name } } }',
  ),
  conditionCompletions: query(
    'assets:read',
    () => '(text: "name = ") { from to suggestions { kind text detail } }',
  ),
  conditionCount: query('assets:read', () => '(where: "has name") { matching unknown }'),
  facets: list('assets:read', '(fields: ["type", "os", "tag"]) { field values { value count } without }'),

  software: list('assets:read', '{ total items { id name version assets } }'),
  softwareListEntries: list('assets:read', '{ total items { list name vendor software } }'),
  addSoftwareListEntry: mutation('compliance:write', () => '(list: forbidden, name: "openssl*")'),
  removeSoftwareListEntry: mutation(
    'compliance:write',
    () => '(list: forbidden, name: "walked*", vendor: "")',
  ),
  softwareHolders: query('assets:read', () => '(id: "1") { total items { id name } }'),
  assetSoftware: query(
    'assets:read',
    (id) => `(assetId: "${id('asset')}") { total items { id name version users installedAt } }`,
  ),
  assetSoftwareChanges: query(
    'assets:read',
    (id) => `(assetId: "${id('asset')}") { total items { id kind name version formerVersion } }`,
  ),
  endOfLife: list('assets:read', '{ total items { id kind name endsOn assets } }'),

  findings: list('vulnerabilities:read', '{ total items { id cveId severity status assetName } }'),
  finding: query(
    'vulnerabilities:read',
    (id) => `(id: "${id('finding')}") { id attributions { feed derivation } history { status why } }`,
  ),
  findingGroups: list('vulnerabilities:read', '{ total items { value findings assets } }'),
  cve: query('vulnerabilities:read', () => '(id: "CVE-2024-0001") { id state counts { count } }'),
  findingsOverview: list(
    'vulnerabilities:read',
    '{ counts { count } topCves { cveId } topAssets { name riskScore } }',
  ),
  assetRisk: query(
    'vulnerabilities:read',
    (id) => `(assetId: "${id('asset')}") { score contributions { cveId } days { day score } }`,
  ),
  assessment: query('vulnerabilities:read', () => '{ hasAdvisories assets assetsWithSoftware }'),
  assetAssessments: query('vulnerabilities:read', (id) => `(assetIds: ["${id('asset')}"]) { assetId state }`),
  setAssetWeight: mutation(
    'vulnerabilities:write',
    (id) => `(assetId: "${id('asset')}", criticality: high, exposure: internet) { score }`,
  ),
  bulkChanges: list('assets:read', '{ total items { id verb status done total } }'),
  bulkChange: query('assets:read', (id) => `(id: "${id('bulkChange')}") { id status }`),
  bulkChangeAssets: query(
    'assets:read',
    (id) => `(id: "${id('bulkChange')}") { total items { assetId name isDone } }`,
  ),
  bulkSelectionCount: query('assets:read', () => '(where: "name:a")'),
  startBulkChange: mutation('assets:write', () => '(verb: archive, where: "name:zzz") { id status }'),
  cancelBulkChange: mutation('assets:write', (id) => `(id: "${id('bulkChange')}") { id status }`),
  undoBulkChange: mutation('assets:write', (id) => `(id: "${id('endedBulkChange')}") { id undoOf }`),
  overrides: list('overrides:read', '{ total items { id kind reason findings } }'),
  previewOverride: query(
    'overrides:read',
    (id) => `(cveId: "CVE-2024-0001", findingId: "${id('finding')}") { total items { id } }`,
  ),
  overridesNeedApproval: query('overrides:read', () => ''),
  createOverride: mutation(
    'overrides:write',
    (id) =>
      `(kind: false_positive, cveId: "CVE-2024-0001", findingId: "${id('finding')}", reason: "r") { id }`,
  ),
  approveOverride: mutation('overrides:write', (id) => `(id: "${id('override')}") { id }`),
  endOverride: mutation('overrides:write', (id) => `(id: "${id('override')}", reason: "r") { id }`),
  setOverridesNeedApproval: mutation('settings:write', () => '(needed: true)'),

  feeds: list('feeds:read', '{ name isEnabled records ageSeconds progress { records } }'),
  setFeedEnabled: mutation('feeds:write', () => '(name: "kev", enabled: false) { name isEnabled }'),
  syncFeed: mutation('feeds:write', () => '(name: "kev") { name isRequested }'),

  sources: list('sources:read', '{ id kind name connectedAt }'),
  changes: list(
    'assets:read',
    '(first: 50) { total next items { position kind assetName subject before after } }',
  ),
  changeCounts: list('assets:read', '(since: "-1d", zone: "Europe/Berlin") { day kind count }'),
  changedAssets: list(
    'assets:read',
    '(since: "-1d", until: "+1d") { total items { assetId assetName assetType counts { kind count } fields } }',
  ),
  changers: list('assets:read', '(bySystem: true) { changedBy count }'),
  ...cloudOperations,

  ...complianceOperations,

  targets: list('scans:read', '{ id name kind address }'),
  scans: list('scans:read', '{ total items { id status progress { done } } }'),
  scan: query('scans:read', (id) => `(id: "${id('scan')}") { id status }`),
  scanResults: list(
    'scans:read',
    (id) => `(scanId: "${id('scan')}") { total items { host read raw { text } } }`,
  ),
  scanHosts: list(
    'scans:read',
    (id) =>
      `(scanId: "${id('scan')}") { total items { host assetId ports { port service } change openedPorts { port } } }`,
  ),
  deviceTouches: list('scans:read', '{ total items { address packets cause runName } }'),
  availableScanTypes: open(''),
  collectors: list('scans:read', '{ id name state version lastSeenAt }'),
  createCollector: mutation('scans:write', () => '(name: "Oslo") { collector { id } secret }'),
  revokeCollector: mutation('scans:write', (id) => `(id: "${id('collector')}") { id state }`),
  deleteCollector: mutation('scans:write', (id) => `(id: "${id('collector')}")`),
  createTarget: mutation('scans:write', () => '(name: "t", cidr: "192.0.2.0/30") { id }'),
  updateTarget: mutation('scans:write', (id) => `(id: "${id('target')}", name: "u") { id }`),
  deleteTarget: mutation('scans:write', (id) => `(id: "${id('target')}")`),
  startScan: mutation('scans:write', (id) => `(targetId: "${id('target')}") { id }`),
  cancelScan: mutation('scans:write', (id) => `(id: "${id('scan')}") { id }`),

  ...discoveryOperations,

  agents: list('agents:read', '{ total items { id kind state why assetId } }'),
  enrolmentTokens: list('agents:read', '{ id name kind tags uses usesMax needsApproval }'),
  createEnrolmentToken: mutation('agents:write', () => '(name: "k", tags: ["a"]) { token { id } secret }'),
  approveAgent: mutation('agents:write', (id) => `(id: "${id('agent')}") { id state }`),
  rekeyAgent: mutation('agents:write', (id) => `(id: "${id('agent')}") { id state }`),
  revokeAgent: mutation('agents:write', (id) => `(id: "${id('agent')}") { id revokedAt }`),
  revokeEnrolmentToken: mutation('agents:write', (id) => `(id: "${id('enrolmentToken')}") { id }`),
  imports: list('imports:read', '{ total items { id status rejected { line } columns { title } } }'),
  import: query('imports:read', (id) => `(id: "${id('import')}") { id status sample { name } }`),
  checkImport: mutation('imports:write', (id) => `(id: "${id('import')}", columns: ["name"]) { id }`),
  startImport: mutation('imports:write', (id) => `(id: "${id('import')}") { id }`),
  cancelImport: mutation('imports:write', (id) => `(id: "${id('import')}") { id }`),

  ...reportOperations,

  credentials: list(
    'credentials:read',
    '{ total items { id name kind settings cidrs targetIds isCollectorOnly collectorIds worksOn } }',
  ),
  hostKeys: list('credentials:read', '{ total items { id address fingerprint } }'),
  createCredential: mutation(
    'credentials:write',
    () => '(name: "c", kind: snmp_community, cidrs: ["192.0.2.0/24"], community: "x") { id }',
  ),
  updateCredential: mutation('credentials:write', (id) => `(id: "${id('credential')}", name: "d") { id }`),
  deleteCredential: mutation('credentials:write', (id) => `(id: "${id('credential')}")`),
  resetCredential: mutation('credentials:write', (id) => `(id: "${id('credential')}") { id }`),
  approveHostKey: mutation(
    'credentials:write',
    (id) => `(id: "${id('waitingHostKey')}", fingerprint: "SHA256:a") { id }`,
  ),
  refuseHostKey: mutation('credentials:write', (id) => `(id: "${id('waitingHostKey')}") { id }`),
  addHostKey: mutation(
    'credentials:write',
    () => `(address: "192.0.2.77", algorithm: "tls", fingerprint: "SHA256:${'a'.repeat(43)}") { id }`,
  ),
  knownHosts: list('credentials:read', '{ total items { id hosts fingerprint } }'),
  importKnownHosts: mutation(
    'credentials:write',
    () => `(knownHosts: "192.0.2.9 ssh-ed25519 ${PUBLIC_KEY}") { read added }`,
  ),
  deleteKnownHost: mutation('credentials:write', (id) => `(id: "${id('knownHost')}")`),
  acceptHostKey: mutation('credentials:write', (id) => `(id: "${id('hostKey')}") { id }`),
  forgetHostKey: mutation('credentials:write', (id) => `(id: "${id('hostKey')}")`),

  webhooks: list('webhooks:read', '{ id name url events }'),
  webhookHealth: list('webhooks:read', '{ webhookId delivered retrying }'),
  webhookDeliveries: list(
    'webhooks:read',
    (id) => `(webhookId: "${id('webhook')}") { total items { id status payload } }`,
  ),
  webhookDelivery: query(
    'webhooks:read',
    (id) => `(id: "${id('delivery')}") { delivery { id } attempts { n } }`,
  ),
  webhookReplays: list('webhooks:read', (id) => `(webhookId: "${id('webhook')}") { id }`),
  eventCatalogue: open('{ type sentWhen }'),
  createWebhook: mutation(
    'webhooks:write',
    () => '(name: "w", url: "http://127.0.0.1:9/", events: [UNLINK]) { webhook { id } }',
  ),
  updateWebhook: mutation('webhooks:write', (id) => `(id: "${id('webhook')}", name: "w") { id name }`),
  rotateWebhookSecret: mutation('webhooks:write', (id) => `(id: "${id('webhook')}") { webhook { id } }`),
  testWebhook: mutation('webhooks:write', (id) => `(id: "${id('webhook')}") { success }`),
  resendWebhookDelivery: mutation('webhooks:write', (id) => `(id: "${id('delivery')}") { id }`),
  replayWebhook: mutation(
    'webhooks:write',
    (id) => `(id: "${id('webhook')}", since: "2026-01-01T00:00:00Z") { id }`,
  ),
  deleteWebhook: mutation('webhooks:write', (id) => `(id: "${id('webhook')}")`),

  partners: list('partners:read', '{ total items { id name slug apiEnabled } }'),
  partner: query('partners:read', (id) => `(id: "${id('partner')}") { id name email quotaLimit rateLimit }`),
  partnerKeys: list(
    'partners:read',
    (id) => `(partnerId: "${id('partner')}") { total items { id prefix scopes lastUsedAt } }`,
  ),
  partnerWebhooks: list(
    'partners:read',
    (id) => `(partnerId: "${id('partner')}") { id name events delivered lastError }`,
  ),
  partnerUsage: query(
    'partners:read',
    (id) => `(partnerId: "${id('partner')}") { assetCount overQuota requestsToday days { day requests } }`,
  ),
  createPartner: mutation(
    'partners:write',
    () => '(name: "p", slug: "walked", email: "a@partner.example") { id }',
  ),
  updatePartner: mutation('partners:write', (id) => `(id: "${id('partner')}", name: "q") { id }`),
  deletePartner: mutation('partners:write', (id) => `(id: "${id('partner')}")`),
  createPartnerKey: mutation(
    'partners:write',
    (id) => `(partnerId: "${id('partner')}", scopes: [partner_read]) { key { id } }`,
  ),
  revokePartnerKey: mutation(
    'partners:write',
    (id) => `(partnerId: "${id('partner')}", id: "${id('partnerKey')}") { id }`,
  ),
  createPartnerWebhook: mutation(
    'partners:write',
    (id) =>
      `(partnerId: "${id('partner')}", name: "w", url: "http://127.0.0.1:9/", events: ["UNLINK"]) { webhook { id } }`,
  ),
  testPartnerWebhook: mutation(
    'partners:write',
    (id) => `(partnerId: "${id('partner')}", id: "${id('partnerWebhook')}") { success }`,
  ),
  deletePartnerWebhook: mutation(
    'partners:write',
    (id) => `(partnerId: "${id('partner')}", id: "${id('partnerWebhook')}")`,
  ),

  users: list('users:read', '{ id email role { name } }'),
  roles: list('users:read', '{ id name permissions members }'),
  invitations: list('users:read', '{ id email role { name } }'),
  permissions: open(''),
  signOn: query('settings:read', () => '{ issuer }'),
  setUserRole: mutation('users:write', (id) => `(userId: "${id('user')}", roleId: "${id('role')}") { id }`),
  removeUser: mutation('users:write', (id) => `(userId: "${id('user')}")`),
  renameTenant: mutation('settings:write', () => '(name: "Globex") { id slug name }'),
  createRole: mutation('users:write', () => '(name: "r", permissions: ["assets:read"]) { id }'),
  updateRole: mutation('users:write', (id) => `(id: "${id('role')}", name: "r2") { id }`),
  deleteRole: mutation('users:write', (id) => `(id: "${id('role')}")`),
  inviteUser: mutation('users:write', (id) => `(email: "a@b.example", roleId: "${id('role')}") { id }`),
  revokeInvitation: mutation('users:write', (id) => `(id: "${id('invitation')}")`),
  setSignOn: mutation(
    'settings:write',
    (id) =>
      `(issuer: "http://127.0.0.1:9", clientId: "c", clientSecret: "s", roleId: "${id('role')}", domains: ["b.example"]) { issuer }`,
  ),
  deleteSignOn: mutation('settings:write', () => ''),

  auditEntries: list('audit:read', '{ total items { id action details } }'),

  ...noticeOperations,

  ...flowOperations,
}

/** The whole text of an operation. */
export const textOf = (name: string, id: IdOf): string => {
  const { kind, text } = operations[name] as Operation
  return `${kind} { ${name} ${text(id)} }`
}
