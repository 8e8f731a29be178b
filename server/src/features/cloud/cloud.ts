/** Cloud: accounts at AWS, Azure and Google Cloud that are read at intervals, and the resources found in them. */
import { difference, record } from '#features/audit/audit.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, invalid, notFound } from '#platform/errors.ts'
import { inOrder, subjectPage, type ListQuery } from '#platform/conditions/lists/subject-page.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { enqueue } from '#platform/jobs/job.ts'
import { isUuid, newUuid } from '#platform/uuid.ts'
import { checkedName } from '#platform/validation/checked-name.ts'
import { allProviders, type CloudResource } from './cloud-resource.ts'
import { checkedSecrets, checkedValues, type NewConnection } from './connection-input.ts'
import * as store from './connection-store.ts'
import * as costs from './costs/cost-store.ts'
import { testConnection, type ConnectionCheck } from './connection-test.ts'
import type { CloudConnection, ScopeCoverage } from './connection.ts'
import type { Values } from './connectors/connector.ts'
import { planJob } from './reading/cloud-jobs.ts'
import { sealContext } from './reading/session.ts'
import * as resources from './resource-store.ts'
import * as scopes from './scope-store.ts'

const NAME_LENGTH_MAX = 200

/**
 * Stores a connection and begins to read it. It is tested before, unless the caller says that it was: one that could
 * list no accounts, or whose role lets in anybody, is refused.
 */
export async function connectCloud(
  ctx: Ctx,
  input: NewConnection,
  { isTested = false }: { readonly isTested?: boolean } = {},
): Promise<CloudConnection> {
  permit(ctx, 'cloud:write')
  const name = checkedName('name', input.name, NAME_LENGTH_MAX)
  const { provider, signIn, settings, secrets } = checkedValues(input)
  if (input.id !== undefined && !isUuid(input.id)) throw invalid('connectionId', 'must be a UUID')
  const id = input.id ?? newUuid(ctx.now())
  if (!isTested) refuseUntrusted(await testConnection(ctx, { ...input, id }))
  return atomically(ctx, async (inner) => {
    const createdAt = inner.now()
    if (await store.connection(inner, id)) throw conflict('connectionId: there is a connection with this id')
    const made = await store.add(inner, {
      id,
      provider,
      name,
      signIn,
      settings,
      secretSealed: sealed(inner, id, secrets),
      createdAt,
    })
    await record(
      inner,
      'cloud_connection.created',
      { type: 'cloud_connection', id },
      { provider, name, signIn, ...settings },
    )
    await planNow(inner, id)
    return made
  })
}

function refuseUntrusted(checks: readonly ConnectionCheck[]): void {
  const refused = checks.filter(({ isRefused }) => isRefused)
  if (refused.length > 0)
    throw invalid('values', refused.map(({ what, message }) => `${what}: ${message}`).join('; '))
}

/** By name. */
export async function listConnections(ctx: Ctx): Promise<CloudConnection[]> {
  permit(ctx, 'cloud:read')
  return store.connections(ctx)
}

export async function getConnection(ctx: Ctx, id: string): Promise<CloudConnection> {
  permit(ctx, 'cloud:read')
  return found(isUuid(id) ? await store.connection(ctx, id) : undefined)
}

/** What is absent stays. Where it leads and how it signs in do not change: that is another connection. */
export interface ConnectionChanges {
  readonly name?: string
  readonly isEnabled?: boolean
  /** All secrets of its way of signing in, anew. */
  readonly secrets?: Values
}

export async function updateConnection(
  ctx: Ctx,
  id: string,
  changes: ConnectionChanges,
): Promise<CloudConnection> {
  permit(ctx, 'cloud:write')
  return atomically(ctx, async (inner) => {
    const before = found(isUuid(id) ? await store.locked(inner, id) : undefined)
    const { isEnabled = before.isEnabled } = changes
    const name = changes.name === undefined ? before.name : checkedName('name', changes.name, NAME_LENGTH_MAX)
    const secrets = changes.secrets && checkedSecrets(before.provider, before.signIn, changes.secrets)
    const secretSealed = secrets && sealed(inner, id, secrets)
    await store.change(inner, id, { name, isEnabled, ...(secretSealed && { secretSealed }) })
    const details = {
      ...difference({ name: before.name, isEnabled: before.isEnabled }, { name, isEnabled }),
      secret: secretSealed ? 'replaced' : 'unchanged',
    }
    await record(inner, 'cloud_connection.updated', { type: 'cloud_connection', id }, details)
    if (isEnabled && (!before.isEnabled || secretSealed)) await planNow(inner, id)
    return found(await store.connection(inner, id))
  })
}

/** Its resources are no longer listed, unless another connection reads them too; the assets that it found stay. */
export async function deleteConnection(ctx: Ctx, id: string): Promise<void> {
  permit(ctx, 'cloud:write')
  await atomically(ctx, async (inner) => {
    const before = found(isUuid(id) ? await store.locked(inner, id) : undefined)
    const { name, provider } = before
    await resources.handOver(inner, id)
    await costs.handOver(inner, before)
    await store.remove(inner, id)
    await record(inner, 'cloud_connection.deleted', { type: 'cloud_connection', id }, { provider, name })
  })
}

/** Reads everything now instead of at the next hour. */
export async function syncConnection(ctx: Ctx, id: string): Promise<CloudConnection> {
  permit(ctx, 'cloud:write')
  return atomically(ctx, async (inner) => {
    const { isEnabled } = found(isUuid(id) ? await store.locked(inner, id) : undefined)
    if (!isEnabled) throw invalid('id', 'is of a connection that is switched off')
    await planNow(inner, id)
    await record(inner, 'cloud_connection.synced', { type: 'cloud_connection', id })
    return found(await store.connection(inner, id))
  })
}

/** What was read of each account, region and type, and how that went; what did not go well first. */
export async function listCoverage(
  ctx: Ctx,
  connectionId: string,
  page: Page,
): Promise<Listed<ScopeCoverage>> {
  const { id } = await getConnection(ctx, connectionId)
  return scopes.coverage(ctx, id, page)
}

export type { CloudConnection } from './connection.ts'
export { runRates } from './costs/costs.ts'
export { recordSampleCosts } from './costs/sample-costs.ts'
export { externalIdOf } from './reading/session.ts'
export type { CloudProvider, ResourceType } from './cloud-resource.ts'
export { recordSampleResources, sampleConnection } from './sample-resources.ts'

/** Resources that are there, by provider, name and id. */
export async function listResources(
  ctx: Ctx,
  page: Page,
  filter: resources.ResourceFilter = {},
): Promise<Listed<resources.ListedResource>> {
  permit(ctx, 'cloud:read')
  return resources.listed(ctx, page, checkedFilter(filter))
}

/**
 * The same list with everything that is known of each, by name unless another order is asked for. Throws 400 naming
 * `where` or `sort`.
 */
export async function listResourceDetails(
  ctx: Ctx,
  page: Page,
  { where, sort, ...filter }: resources.ResourceFilter & ListQuery = {},
): Promise<Listed<CloudResource>> {
  permit(ctx, 'cloud:read')
  const narrowed = resources.narrowed(checkedFilter(filter))
  const query = { subject: 'cloud_resource', usual: 'name', where, sort, narrowed }
  const { items: ids, total } = await subjectPage(ctx, query, page)
  const rows = ids.length === 0 ? [] : await resources.detailed(ctx, ids)
  return { items: inOrder(ids, rows, ({ id }) => id), total }
}

const SEARCH_LENGTH_MAX = 200

/** Values that no resource can have find nothing, but an id that is none would make the statement fail. */
function checkedFilter(filter: resources.ResourceFilter): resources.ResourceFilter {
  if ((filter.search?.length ?? 0) > SEARCH_LENGTH_MAX)
    throw invalid('search', `must have at most ${SEARCH_LENGTH_MAX} characters`)
  if (filter.connectionId !== undefined && !isUuid(filter.connectionId)) throw notFound('cloud connection')
  const provider = allProviders.find((it) => it.toLowerCase() === filter.provider?.toLowerCase())
  return { ...filter, provider: provider ?? filter.provider }
}

/** Millisecond precision: the job knows the planning by its time. */
async function planNow(ctx: Ctx, id: string): Promise<void> {
  const at = ctx.now()
  await store.planAt(ctx, id, at)
  await enqueue(ctx, planJob, { connectionId: id, at: at.toISOString(), everything: true })
}

const sealed = (ctx: Ctx, id: string, secrets: Values): Buffer | null =>
  Object.keys(secrets).length === 0
    ? null
    : ctx.seal.seal(JSON.stringify(secrets), sealContext(ctx.tenantId, id))

function found(connection: CloudConnection | undefined): CloudConnection {
  if (!connection) throw notFound('cloud connection')
  return connection
}
