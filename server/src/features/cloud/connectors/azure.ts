import { invalid } from '#platform/errors.ts'
import { azureApi, type AzureApi } from './azure/azure-api.ts'
import { azureCosts } from './azure/azure-costs.ts'
import { azureInstructions } from './azure/azure-setup.ts'
import { azureSignIns } from './azure/azure-sign-in.ts'
import { networkOfMachines } from './azure/machine-network.ts'
import { azureResource, resourceTables } from './azure/azure-resources.ts'
import { rowsOf } from './azure/resource-graph.ts'
import { addressField, checkAddresses } from './base-address.ts'
import type {
  AccountFailure,
  Connector,
  PlannedScope,
  Reading,
  ResourcePage,
  Session,
  Shortfall,
} from './connector.ts'
import { CloudFault } from './cloud-fault.ts'
import { textAt } from './read-json.ts'
import { cloudTypeOf, GLOBAL, resourceTypes, type CloudType } from '../cloud-resource.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** Resource Graph takes this many subscriptions in one query. */
const SUBSCRIPTIONS_MAX = 1_000
/** Others, such as Disabled and Deleted, are not read: what was in them is retired. */
const readStates = new Set(['Enabled', 'Warned', 'PastDue'])

export const azure: Connector = {
  provider: 'Azure',
  fields: [
    addressField('loginAddress', 'Sign-in address', 'https://login.microsoftonline.com'),
    addressField('apiAddress', 'Resource Manager address', 'https://management.azure.com'),
  ],
  signIns: azureSignIns,
  instructions: azureInstructions,
  check(settings, signIn) {
    const isOfHost = signIn === 'managed_identity'
    if (!isOfHost && !/^[A-Za-z0-9.-]{1,253}$/.test(settings['directory'] ?? ''))
      throw invalid('directory', 'must be the id or a domain of the directory')
    if (!(isOfHost && settings['clientId'] === undefined) && !UUID.test(settings['clientId'] ?? ''))
      throw invalid('clientId', 'must be a UUID')
    checkAddresses(settings)
  },
  costs: azureCosts,
  async plan(session) {
    const api = azureApi(session)
    const subscriptions = await subscriptionsOf(api)
    const failures = await withoutAccess(api, subscriptions)
    const closed = new Set(failures.map(({ account }) => account))
    const open = subscriptions.filter(({ account }) => !closed.has(account))
    const groups = Math.ceil(open.length / SUBSCRIPTIONS_MAX)
    const readings = resourceTypes.flatMap((type) =>
      Array.from({ length: groups }, (_, group): Reading => ({
        key: `${type}/${group}`,
        scopes: open
          .slice(group * SUBSCRIPTIONS_MAX, (group + 1) * SUBSCRIPTIONS_MAX)
          .map((it): PlannedScope => ({ ...it, region: GLOBAL, type })),
      })),
    )
    return { readings, failures }
  },
  read: readResources,
}

interface Subscription {
  readonly account: string
  readonly accountName: string
}

async function subscriptionsOf(api: AzureApi): Promise<Subscription[]> {
  const found: Subscription[] = []
  for await (const page of api.list('/subscriptions', '2022-12-01'))
    for (const it of page)
      if (readStates.has(textAt(it, 'state')))
        found.push({
          account: textAt(it, 'subscriptionId').toLowerCase(),
          accountName: textAt(it, 'displayName'),
        })
  return found.toSorted((a, b) => (a.account < b.account ? -1 : 1))
}

/**
 * Resource Graph leaves out what the principal may not read, without an error: an empty answer would say that
 * everything in the subscription is gone. One that Resource Graph does not name is asked for by itself.
 */
async function withoutAccess(
  api: AzureApi,
  subscriptions: readonly Subscription[],
): Promise<AccountFailure[]> {
  const named = new Set<string>()
  const ids = subscriptions.map(({ account }) => account)
  const query = `resourcecontainers | where type =~ 'microsoft.resources/subscriptions' | project id, subscriptionId | order by id asc`
  for (let from = 0; from < ids.length; from += SUBSCRIPTIONS_MAX)
    for await (const rows of rowsOf(api, ids.slice(from, from + SUBSCRIPTIONS_MAX), query))
      for (const row of rows) named.add(textAt(row, 'subscriptionId').toLowerCase())
  const failures: AccountFailure[] = []
  for (const subscription of subscriptions.filter(({ account }) => !named.has(account))) {
    const reason = await refusalOf(api, subscription.account)
    if (reason !== undefined) failures.push({ ...subscription, reason: `no access: ${reason}` })
  }
  return failures
}

async function refusalOf(api: AzureApi, subscription: string): Promise<string | undefined> {
  try {
    await api.get(`/subscriptions/${subscription}/providers/Microsoft.Compute/virtualMachines`, '2024-07-01')
    return undefined
  } catch (error) {
    if (error instanceof CloudFault && error.kind === 'not_allowed') return error.message
    throw error
  }
}

async function* readResources(session: Session, reading: Reading): AsyncIterable<ResourcePage> {
  const type = cloudTypeOf(reading.scopes[0]?.type)
  if (type === undefined) return
  const api = azureApi(session)
  const subscriptions = reading.scopes.map(({ account }) => account)
  const network = type === 'compute' ? await networkOfMachines(api, subscriptions) : undefined
  for (const query of queriesOf(type))
    for await (const rows of rowsOf(api, subscriptions, query))
      yield { resources: rows.flatMap((row) => azureResource(row, type, network) ?? []) }
  yield { resources: [], shortfalls: await shortfallsOf(api, reading) }
}

/** Access that was lost since the plan was made looks like an empty subscription. */
async function shortfallsOf(api: AzureApi, { scopes }: Reading): Promise<Shortfall[]> {
  const failures = await withoutAccess(
    api,
    scopes.map(({ account }) => ({ account, accountName: '' })),
  )
  const reasons = new Map(failures.map(({ account, reason }) => [account, reason]))
  return scopes.flatMap((scope) => {
    const reason = reasons.get(scope.account)
    return reason === undefined ? [] : [{ scope, status: 'failed' as const, reason }]
  })
}

/** With `id` in its rows, and sorted by it, the answer can be read page by page. */
const queriesOf = (type: CloudType): string[] =>
  resourceTables[type].map(
    ({ table, types }) =>
      `${table} | where type in~ (${types.map((it) => `'${it}'`).join(', ')}) ` +
      '| project id, name, type, kind, location, subscriptionId, tags, zones, properties | order by id asc',
  )
