import { list, mutation, query, type Operation } from './operation.ts'

export const reportOperations: Readonly<Record<string, Operation>> = {
  reports: list('reports:read', '{ total items { id name status latest { rowCount } } }'),
  inventoryTrend: query(
    'assets:read',
    () => '(days: 365) { countedSince nights { day assets openFindings } }',
  ),
  report: query('reports:read', (id) => `(id: "${id('report')}") { id period latest { fileName } }`),
  reportSnapshots: list(
    'reports:read',
    (id) => `(reportId: "${id('report')}") { total items { id status fileBytes } }`,
  ),
  createReport: mutation('reports:write', () => '(name: "r", type: topology) { id latest { status } }'),
  compareReportSnapshots: query('reports:read', (id) => {
    const snapshot = id('reportSnapshot')
    return `(from: "${snapshot}", to: "${snapshot}") { unchangedCount changed { name cells { column after } } }`
  }),
  reportSnapshotProof: query('reports:read', (id) => `(id: "${id('reportSnapshot')}")`),
  reportTableFields: query('reports:write', () => '(rows: software) { name title sentence }'),
  reportPreview: query('reports:write', () => '(type: asset_audit) { scope rowCount rows { cells } }'),
  simulation: query(
    'reports:read',
    () =>
      '(kind: retire_product, name: "openssl") { sentence measures { measure after } assets { id name } }',
  ),
  createSimulationReport: mutation(
    'reports:write',
    () => '(reportName: "s", kind: replace_assets, by: "2027-06-30") { id latest { status } }',
  ),
  budgetTerms: query(
    'reports:read',
    () => '{ currency priceRise prices { deviceType price } rates { day rate } }',
  ),
  setBudgetSettings: mutation('reports:write', () => '(currency: "EUR", priceRise: "0.03") { currency }'),
  setReplacementPrice: mutation(
    'reports:write',
    () => '(deviceType: "server", price: "5000.00", currency: "EUR", lifeMonths: "60") { priceRise }',
  ),
  setExchangeRate: mutation('reports:write', () => '(currency: "USD", rate: "0.92") { rates { currency } }'),
  reportPaper: query('reports:read', () => ''),
  setReportPaper: mutation('reports:write', () => '(paper: letter)'),
  reportScheduleTimes: query('reports:write', () => '(cron: "0 6 * * 1", zone: "UTC")'),
  sendReportToMe: mutation('reports:read', (id) => `(id: "${id('report')}") { id }`),
  scheduleReport: mutation(
    'reports:write',
    (id) => `(id: "${id('report')}", cron: "0 6 * * 1", zone: "UTC", recipients: []) { id nextRunAt }`,
  ),
  unscheduleReport: mutation('reports:write', (id) => `(id: "${id('report')}") { id }`),
  pinReportSnapshot: mutation(
    'reports:write',
    (id) => `(id: "${id('reportSnapshot')}", isPinned: true) { id isPinned }`,
  ),
  runReport: mutation('reports:write', (id) => `(id: "${id('report')}") { id }`),
  deleteReport: mutation('reports:write', (id) => `(id: "${id('report')}")`),
}
