import { invalid } from '#platform/errors.ts'
import { cloudTypeOf, GLOBAL, resourceTypes, type CloudType } from '../cloud-resource.ts'
import { addressField, checkAddresses } from './base-address.ts'
import { CloudFault } from './cloud-fault.ts'
import type { Connector, Plan, Reading, ResourcePage, Session } from './connector.ts'
import { assetsIn, assetTypes } from './google/asset-inventory.ts'
import { googleApi, type GoogleApi } from './google/google-api.ts'
import { googleResource } from './google/google-resources.ts'
import { checkCostTable, googleCosts } from './google/google-costs.ts'
import { googleInstructions } from './google/google-setup.ts'
import {
  canSign,
  googleSignIns,
  POOL_PROVIDER,
  refuseAnySubject,
  serviceAccountKey,
} from './google/google-sign-in.ts'
import { listOfProject } from './google/project-lists.ts'
import { pagesOf } from './pages.ts'
import { lastPart, listAt, textAt } from './read-json.ts'

const SCOPE = /^(organizations\/\d+|folders\/\d+|projects\/[a-z0-9:.-]+)$/
/** Readings by Asset Inventory have this before their type. */
const INVENTORY = 'inventory'

export const gcp: Connector = {
  provider: 'GCP',
  fields: [
    {
      name: 'scope',
      label: 'Scope',
      help: 'organizations/NUMBER, folders/NUMBER or projects/ID',
      isRequired: true,
    },
    {
      name: 'quotaProject',
      label: 'Quota project',
      help: 'Whose quotas are used; that of the service account unless given',
    },
    {
      name: 'costTable',
      label: 'Table of the billing export',
      help: 'PROJECT.DATASET.gcp_billing_export_resource_v1_ACCOUNT; only for costs, which are switched on later',
    },
    addressField('tokenAddress', 'Token address', 'https://oauth2.googleapis.com/token'),
    addressField('apiAddress', 'Address of all services', 'https://SERVICE.googleapis.com'),
  ],
  signIns: googleSignIns,
  instructions: googleInstructions,
  check(values, signIn) {
    if (!SCOPE.test(values['scope'] ?? ''))
      throw invalid('scope', 'must be organizations/NUMBER, folders/NUMBER or projects/ID')
    const { poolProvider = '', serviceAccount = '' } = values
    if (signIn === 'workload_identity' && !POOL_PROVIDER.test(poolProvider))
      throw invalid(
        'poolProvider',
        'must be projects/NUMBER/locations/global/workloadIdentityPools/POOL/providers/PROVIDER',
      )
    if (signIn === 'workload_identity' && !/^[^@\s/]{1,64}@[a-z0-9.-]{1,200}$/.test(serviceAccount))
      throw invalid('serviceAccount', 'must be the address of a service account')
    if (signIn === 'service_account_key' && !canSign(serviceAccountKey(values['serviceAccountKey'] ?? '')))
      throw invalid('serviceAccountKey', 'must be the JSON file of a service account key')
    checkCostTable(values)
    checkAddresses(values)
  },
  costs: googleCosts,
  async plan(session) {
    await refuseAnySubject(session)
    const api = googleApi(session)
    const projects = await projectsOf(session, api)
    return (await hasInventory(session, api)) ? byInventory(projects) : byProject(projects)
  },
  read: readResources,
}

interface Project {
  readonly account: string
  readonly accountName: string
  readonly number: string
}

async function projectsOf({ settings }: Session, api: GoogleApi): Promise<Project[]> {
  const { scope = '' } = settings
  const only = /^projects\/(.+)$/.exec(scope)?.[1]
  const pages = pagesOf(async (pageToken) => {
    const page = await api.get('cloudresourcemanager', '/v3/projects:search', {
      query: 'state:ACTIVE',
      pageSize: '500',
      ...(pageToken !== undefined && { pageToken }),
    })
    return { items: listAt(page, 'projects'), next: textAt(page, 'nextPageToken') }
  })
  const found: Project[] = []
  for await (const page of pages)
    for (const it of page)
      if (textAt(it, 'state') === 'ACTIVE' && (only === undefined || textAt(it, 'projectId') === only))
        found.push({
          account: textAt(it, 'projectId'),
          accountName: textAt(it, 'displayName'),
          number: lastPart(textAt(it, 'name')),
        })
  if (only !== undefined && found.length === 0)
    throw new CloudFault('not_allowed', `${scope} is not among the projects that the service account can see`)
  return found
}

/** One API in one project answers for all; without it, or without the role, each project is read by itself. */
async function hasInventory({ settings }: Session, api: GoogleApi): Promise<boolean> {
  try {
    await api.get('cloudasset', `/v1/${settings['scope']}/assets`, {
      contentType: 'RESOURCE',
      assetTypes: assetTypes.kubernetes,
      pageSize: '1',
    })
    return true
  } catch (error) {
    if (error instanceof CloudFault && (error.kind === 'not_allowed' || error.kind === 'service_off'))
      return false
    throw error
  }
}

const byInventory = (projects: readonly Project[]): Plan => ({
  readings: resourceTypes.map((type) => ({
    key: `${INVENTORY}/${type}`,
    scopes: projects.map(({ account, accountName }) => ({ account, accountName, region: GLOBAL, type })),
  })),
  failures: [],
})

const byProject = (projects: readonly Project[]): Plan => ({
  readings: projects.flatMap(({ account, accountName }) =>
    resourceTypes.map((type) => ({
      key: `${account}/${type}`,
      scopes: [{ account, accountName, region: GLOBAL, type }],
    })),
  ),
  failures: [],
})

async function* readResources(session: Session, { key, scopes }: Reading): AsyncIterable<ResourcePage> {
  const api = googleApi(session)
  const type = cloudTypeOf(scopes[0]?.type)
  if (type === undefined) return
  if (key.startsWith(`${INVENTORY}/`)) yield* fromInventory(session, api, type)
  else for (const { account } of scopes) yield* fromProject(api, account, type)
}

async function* fromInventory(
  session: Session,
  api: GoogleApi,
  type: CloudType,
): AsyncIterable<ResourcePage> {
  const projects = new Map<string, string>()
  for (const { account, number } of await projectsOf(session, api)) {
    projects.set(number, account)
    projects.set(account, account)
  }
  for await (const assets of assetsIn(api, session.settings['scope'] ?? '', type, projects))
    yield { resources: assets.map((it) => googleResource(it, type)) }
}

async function* fromProject(api: GoogleApi, project: string, type: CloudType): AsyncIterable<ResourcePage> {
  const scope = { account: project, region: GLOBAL, type }
  for await (const { assets, unreachable } of listOfProject(api, project, type)) {
    const reason = `no answer from ${unreachable.slice(0, 5).map(lastPart).join(', ')}`
    yield {
      resources: assets.map((it) => googleResource(it, type)),
      ...(unreachable.length > 0 && { shortfalls: [{ scope, status: 'partial' as const, reason }] }),
    }
  }
}
