import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import type { AssetType, Observation } from '#features/assets/observation.ts'
import { submit } from '#features/sources/sources.ts'
import { atomicallyDespiteDeadlock, type Ctx } from '#platform/context.ts'
import { newUuid } from '#platform/uuid.ts'
import { GLOBAL, type CloudProvider, type SeenResource } from '../cloud-resource.ts'
import type { CloudConnection } from '../connection.ts'
import * as resources from '../resource-store.ts'
import type { RunningScope } from '../scope-store.ts'

/** In one transaction: what they hold is in memory at once, and more of them are not faster. */
export const BATCH_MAX = 250
/** What sources take as the name of a thing. No id of these types of resources is longer. */
const ID_LENGTH_MAX = 512
const TEXT_LENGTH_MAX = 255
const TAGS_MAX = 100
const MAC = /^[0-9a-f]{2}([:-][0-9a-f]{2}){5}$/i

export interface SeenInScope {
  readonly scope: RunningScope
  readonly seen: SeenResource
}

/** Its observations are those of one source, whatever the connection is called later. */
export const sourceOf = ({ id, name }: Pick<CloudConnection, 'id' | 'name'>) => ({
  kind: 'cloud',
  name,
  key: id,
})

/** Writes up to 250 resources and submits an observation of each, in one transaction. */
export async function takeIn(
  ctx: Ctx,
  connection: CloudConnection,
  page: readonly SeenInScope[],
): Promise<void> {
  const at = ctx.now()
  const { id: connectionId, provider } = connection
  const each = new Map(
    page
      .filter(({ seen }) => seen.nativeId.length <= ID_LENGTH_MAX)
      .map((it) => [`${it.seen.nativeId} ${machineIdOf(it.seen)}`, it]),
  )
  const whole = [...each.values()]
  await atomicallyDespiteDeadlock(ctx, async (inner) => {
    await resources.put(
      inner,
      { connectionId, provider, at },
      whole.map((it) => rowOf(it, at)),
    )
    const observed = whole.filter(({ seen }) => !seen.hasNoAsset)
    if (observed.length === 0) return
    const observations: Observation[] = []
    for (const it of observed)
      observations.push(observationOf(provider, it, at, await sameCluster(inner, it)))
    const { rejected } = await submit(inner, sourceOf(connection), observations)
    if (rejected.length > 0)
      ctx.log.warn({ connectionId, rejected: rejected.slice(0, 3) }, 'cloud resources without asset')
  })
}

/**
 * The last word about resources that are gone: their assets stay, and say so. It is dated to when they were last seen,
 * so that addresses that others have now are not theirs any longer than they were.
 */
export async function takeLeave(
  ctx: Ctx,
  connection: CloudConnection,
  gone: readonly resources.GoneResource[],
): Promise<void> {
  await submit(
    ctx,
    sourceOf(connection),
    gone
      .filter(({ type }) => type !== 'workload')
      .map((it): Observation => ({
        sourceKey: it.machineId || it.nativeId,
        seenAt: new Date(Date.parse(it.lastSeen) + 1),
        identifiers: [{ type: 'cloud_id', value: it.machineId || resourceId(it.nativeId) }],
        facts: { ...it.facts, ...placeOf(connection.provider, it), status: 'gone' },
      })),
  )
}

const machineIdOf = (seen: SeenResource): string => seen.machine?.cloudId ?? ''

function rowOf({ scope, seen }: SeenInScope, at: Date): resources.ResourceRow {
  return {
    id: newUuid(at),
    scopeId: scope.id,
    account: scope.account,
    region: seen.region || GLOBAL,
    type: scope.type,
    nativeId: seen.nativeId,
    machineId: machineIdOf(seen),
    name: cut(seen.name || seen.nativeId),
    status: cut(seen.status),
    tags: tagsFrom(seen),
    facts: seen.facts,
    run: scope.run,
  }
}

/** A cluster that a cloud lists too is one asset: the id that the cloud gave it, found by the host of its API server. */
const sameCluster = async (ctx: Ctx, { seen }: SeenInScope): Promise<string | undefined> =>
  seen.atHost ? resources.clusterAt(ctx, seen.atHost) : undefined

function observationOf(
  provider: CloudProvider,
  { scope, seen }: SeenInScope,
  at: Date,
  nativeId = seen.nativeId,
): Observation {
  const { machine } = seen
  const place = placeOf(provider, { ...scope, region: seen.region || GLOBAL, nativeId: seen.nativeId })
  return {
    sourceKey: machineIdOf(seen) || seen.nativeId,
    seenAt: at,
    assetType: assetTypeOf(seen, nativeId),
    name: cut(seen.name || seen.nativeId),
    ...(machine?.os !== undefined && { os: cut(machine.os) }),
    identifiers: machine ? identifiersOf(machine) : [{ type: 'cloud_id', value: resourceId(nativeId) }],
    ...(seen.software && { software: seen.software }),
    tags: tagsFrom(seen),
    facts: { ...seen.facts, ...place, status: cut(seen.status) },
  }
}

const assetTypeOf = ({ scope, assetType, nativeId }: SeenResource, known: string): AssetType =>
  known === nativeId && assetType
    ? assetType
    : scope.type === 'compute'
      ? 'virtual_machine'
      : 'cloud_resource'

function identifiersOf({
  cloudId,
  smbiosUuid,
  machineId,
  hostname,
  macs,
  ips,
}: NonNullable<SeenResource['machine']>) {
  return [
    ...(cloudId === undefined ? [] : [{ type: 'cloud_id' as const, value: cloudId }]),
    ...(machineId === undefined ? [] : [{ type: 'machine_id' as const, value: machineId }]),
    ...(smbiosUuid === undefined ? [] : [{ type: 'smbios_uuid' as const, value: smbiosUuid }]),
    ...(hostname === undefined || hostname.length > TEXT_LENGTH_MAX
      ? []
      : [{ type: 'hostname' as const, value: hostname }]),
    ...macs.filter((it) => MAC.test(it)).map((value) => ({ type: 'mac' as const, value })),
    ...ips.filter((it) => isIP(it) !== 0).map((value) => ({ type: 'ip' as const, value })),
  ]
}

/**
 * By which a resource that is no machine is the same asset for every connection that sees it. Identifiers are compared
 * without regard to case, and names of functions differ by case alone.
 */
function resourceId(nativeId: string): string {
  const isLower = nativeId === nativeId.toLowerCase()
  return isLower
    ? nativeId
    : `${nativeId}#${createHash('sha256').update(nativeId).digest('hex').slice(0, 16)}`
}

const placeOf = (
  provider: CloudProvider,
  {
    account,
    region,
    type,
    nativeId,
  }: Pick<resources.GoneResource, 'account' | 'region' | 'type' | 'nativeId'>,
) => ({ provider, account, region, type, native_id: nativeId })

const tagsFrom = ({ tags }: SeenResource): string[] => [...new Set(tags.map(cut))].slice(0, TAGS_MAX)

/** Names stand in lists and terminals: without control characters. */
const cut = (text: string): string =>
  text
    .replaceAll(/\p{Cc}/gu, '')
    .slice(0, TEXT_LENGTH_MAX)
    .toWellFormed()
