import { createRoute, redirect } from '@tanstack/react-router'
import { lazyScreen } from '#api/lazy-screen.ts'
import { readAuditSearch } from '#features/audit/audit-search-params.ts'
import { readCloudSearch } from '#features/cloud/cloud-search-params.ts'
import { readEndOfLifeSearch } from '#features/lifecycles/end-of-life-search-params.ts'
import { readListSearch } from '#features/lists/list-search.ts'
import { readDeliverySearch } from '#features/webhooks/delivery-search-params.ts'
import { readSimulationSearch } from '#features/reports/simulation/simulation-search-params.ts'
import { readSoftwareSearch } from '#features/software/software-search-params.ts'
import { NotFound } from '#features/shell/error-screens.tsx'
import { readFindingSearch } from '#features/vulnerabilities/findings/finding-search-params.ts'
import { readOverrideSearch } from '#features/vulnerabilities/overrides/override-search-params.ts'
import { app, root, signIn } from './app-route.tsx'
import { assetRoutes } from './asset-routes.tsx'
import { complianceRoutes } from './compliance-routes.tsx'
import { agentRoutes } from './agent-routes.tsx'
import { discoveryRoutes } from './discovery-routes.tsx'
import { flowRoutes } from './flow-routes.tsx'

const overview = createRoute({
  getParentRoute: () => app,
  path: '/',
  component: lazyScreen(() => import('#features/overview/overview-page.tsx'), 'OverviewPage'),
})

const vulnerabilities = createRoute({
  getParentRoute: () => app,
  path: '/vulnerabilities',
  validateSearch: readFindingSearch,
  component: lazyScreen(() => import('#features/vulnerabilities/findings/findings-page.tsx'), 'FindingsPage'),
})

const cve = createRoute({
  getParentRoute: () => app,
  path: '/vulnerabilities/$cveId',
  component: lazyScreen(() => import('#features/vulnerabilities/cve/cve-page.tsx'), 'CvePage'),
})

const overrides = createRoute({
  getParentRoute: () => app,
  path: '/overrides',
  validateSearch: readOverrideSearch,
  component: lazyScreen(
    () => import('#features/vulnerabilities/overrides/overrides-page.tsx'),
    'OverridesPage',
  ),
})

/** Former path of the overrides screen; redirects. */
const decisions = createRoute({
  getParentRoute: () => app,
  path: '/decisions',
  beforeLoad: () => {
    throw redirect({ to: '/overrides', replace: true })
  },
})

const software = createRoute({
  getParentRoute: () => app,
  path: '/software',
  validateSearch: readSoftwareSearch,
  component: lazyScreen(() => import('#features/software/software-page.tsx'), 'SoftwarePage'),
})

const softwareLists = createRoute({
  getParentRoute: () => app,
  path: '/software/lists',
  component: lazyScreen(
    () => import('#features/software/lists/software-lists-page.tsx'),
    'SoftwareListsPage',
  ),
})

const endOfLife = createRoute({
  getParentRoute: () => app,
  path: '/end-of-life',
  validateSearch: readEndOfLifeSearch,
  component: lazyScreen(() => import('#features/lifecycles/end-of-life-page.tsx'), 'EndOfLifePage'),
})

const feeds = createRoute({
  getParentRoute: () => app,
  path: '/feeds',
  component: lazyScreen(() => import('#features/feeds/feeds-page.tsx'), 'FeedsPage'),
})

const scanList = createRoute({
  getParentRoute: () => app,
  path: '/scans/all',
  component: lazyScreen(() => import('#features/scans/scan-list-page.tsx'), 'ScanListPage'),
})

const scans = createRoute({
  getParentRoute: () => app,
  path: '/scans',
  component: lazyScreen(() => import('#features/scans/scans-page.tsx'), 'ScansPage'),
})

const scan = createRoute({
  getParentRoute: () => app,
  path: '/scans/$scanId',
  component: lazyScreen(() => import('#features/scans/scan-page.tsx'), 'ScanPage'),
})

const cloud = createRoute({
  getParentRoute: () => app,
  path: '/cloud',
  validateSearch: readCloudSearch,
  component: lazyScreen(() => import('#features/cloud/cloud-resources-page.tsx'), 'CloudResourcesPage'),
})

const cloudConnections = createRoute({
  getParentRoute: () => app,
  path: '/cloud-connections',
  component: lazyScreen(() => import('#features/cloud/cloud-connections-page.tsx'), 'CloudConnectionsPage'),
})

const credentials = createRoute({
  getParentRoute: () => app,
  path: '/credentials',
  component: lazyScreen(() => import('#features/credentials/credentials-page.tsx'), 'CredentialsPage'),
})

const hostKeys = createRoute({
  getParentRoute: () => app,
  path: '/host-keys',
  component: lazyScreen(() => import('#features/credentials/host-keys-page.tsx'), 'HostKeysPage'),
})

const apiKeys = createRoute({
  getParentRoute: () => app,
  path: '/api-keys',
  component: lazyScreen(() => import('#features/api-keys/api-keys-page.tsx'), 'ApiKeysPage'),
})

const webhooks = createRoute({
  getParentRoute: () => app,
  path: '/webhooks',
  component: lazyScreen(() => import('#features/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
})

const notices = createRoute({
  getParentRoute: () => app,
  path: '/notices',
  component: lazyScreen(() => import('#features/notices/notices-page.tsx'), 'NoticesPage'),
})

const partners = createRoute({
  getParentRoute: () => app,
  path: '/partners',
  validateSearch: readListSearch,
  component: lazyScreen(() => import('#features/partners/partners-page.tsx'), 'PartnersPage'),
})

const partner = createRoute({
  getParentRoute: () => app,
  path: '/partners/$partnerId',
  component: lazyScreen(() => import('#features/partners/partner-page.tsx'), 'PartnerPage'),
})

const deliveries = createRoute({
  getParentRoute: () => app,
  path: '/deliveries',
  validateSearch: readDeliverySearch,
  component: lazyScreen(() => import('#features/webhooks/deliveries-page.tsx'), 'DeliveriesPage'),
})

const imports = createRoute({
  getParentRoute: () => app,
  path: '/imports',
  component: lazyScreen(() => import('#features/imports/imports-page.tsx'), 'ImportsPage'),
})

const importOne = createRoute({
  getParentRoute: () => app,
  path: '/imports/$importId',
  component: lazyScreen(() => import('#features/imports/import-page.tsx'), 'ImportPage'),
})

const contracts = createRoute({
  getParentRoute: () => app,
  path: '/contracts',
  component: lazyScreen(() => import('#features/records/contracts/contracts-page.tsx'), 'ContractsPage'),
})

const reports = createRoute({
  getParentRoute: () => app,
  path: '/reports',
  component: lazyScreen(() => import('#features/reports/reports-page.tsx'), 'ReportsPage'),
})

const budget = createRoute({
  getParentRoute: () => app,
  path: '/reports/budget',
  component: lazyScreen(() => import('#features/reports/budget/budget-page.tsx'), 'BudgetPage'),
})

const reportOne = createRoute({
  getParentRoute: () => app,
  path: '/reports/$reportId',
  component: lazyScreen(() => import('#features/reports/report-page.tsx'), 'ReportPage'),
})

const simulation = createRoute({
  getParentRoute: () => app,
  path: '/simulation',
  validateSearch: readSimulationSearch,
  component: lazyScreen(() => import('#features/reports/simulation/simulation-page.tsx'), 'SimulationPage'),
})

const audit = createRoute({
  getParentRoute: () => app,
  path: '/audit',
  validateSearch: readAuditSearch,
  component: lazyScreen(() => import('#features/audit/audit-page.tsx'), 'AuditPage'),
})

const organisations = createRoute({
  getParentRoute: () => app,
  path: '/organisations',
  component: lazyScreen(
    () => import('#features/tenancy/organisations/organisations-page.tsx'),
    'OrganisationsPage',
  ),
})

const usersAndRoles = createRoute({
  getParentRoute: () => app,
  path: '/people',
  component: lazyScreen(() => import('#features/tenancy/users-and-roles-page.tsx'), 'UsersAndRolesPage'),
})

const settings = createRoute({
  getParentRoute: () => app,
  path: '/settings',
  component: lazyScreen(() => import('#features/settings/settings-page.tsx'), 'SettingsPage'),
})

/** Target of invitation links; the token in the fragment (#) is not sent to the server. */
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyScreen(() => import('#features/tenancy/invitation-page.tsx'), 'InvitationPage'),
})

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyScreen(() => import('#features/session/reset-password-page.tsx'), 'ResetPasswordPage'),
})

const leadingNowhere = createRoute({ getParentRoute: () => app, path: '$', component: NotFound })

/** All screens. The filters of a screen are search parameters, so that links include them. */
export const routeTree = root.addChildren([
  signIn,
  resetPassword,
  invitation,
  app.addChildren([
    overview,
    ...assetRoutes,
    vulnerabilities,
    cve,
    overrides,
    decisions,
    software,
    softwareLists,
    endOfLife,
    feeds,
    scans,
    scanList,
    scan,
    ...discoveryRoutes,
    ...agentRoutes,
    cloud,
    cloudConnections,
    credentials,
    hostKeys,
    apiKeys,
    webhooks,
    deliveries,
    ...flowRoutes,
    notices,
    ...complianceRoutes,
    partners,
    partner,
    imports,
    importOne,
    contracts,
    reports,
    budget,
    reportOne,
    simulation,
    audit,
    organisations,
    usersAndRoles,
    settings,
    leadingNowhere,
  ]),
])
