import { difference, record } from '#features/audit/audit.ts'
import { credentialsBoundTo } from '#features/credentials/credentials.ts'
import { checkedCollectorIds } from '#features/collectors/collectors.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, invalid, notFound } from '#platform/errors.ts'
import { isUuid } from '#platform/uuid.ts'
import { findPlaces } from '#features/records/records.ts'
import * as store from '../store.ts'
import { moveObservationsLater } from './moved-targets.ts'
import { setCollectors } from './target-collector-store.ts'
import { checkedTarget, type NewTarget, type Target, type TargetFields } from './target.ts'
import { reachesFurther } from './target-entries.ts'

/** What is absent stays. `entries` replaces network or host; `exclusions` alone go with what is there. */
export type TargetChanges = Partial<NewTarget>

export async function createTarget(ctx: Ctx, input: NewTarget): Promise<Target> {
  permit(ctx, 'scans:write')
  const wanted = checkedTarget(input)
  return atomically(ctx, async (inner) => {
    await checkSite(inner, wanted.siteId)
    const collectorIds = await checkedCollectorIds(inner, wanted.collectorIds)
    const target = await store.addTarget(inner, wanted)
    await setCollectors(inner, target.id, collectorIds)
    await record(inner, 'target.created', { type: 'target', id: target.id }, said(wanted))
    return targetOf(inner, target.id)
  })
}

/**
 * Changes what is looked at from the next scan on. A target that credentials are bound to cannot grow: they would be
 * shown where nobody who knows the secret has allowed it.
 */
export async function updateTarget(ctx: Ctx, id: string, changes: TargetChanges): Promise<Target> {
  permit(ctx, 'scans:write')
  return atomically(ctx, async (inner) => {
    const before = await targetOf(inner, id)
    const wanted = checkedTarget(withChanges(before, changes))
    if (reachesFurther(before, wanted)) await refuseWider(inner, before)
    if (changes.collectorIds !== undefined)
      await setCollectors(
        inner,
        id,
        await checkedCollectorIds(inner, changes.collectorIds, before.collectorIds),
      )
    if (wanted.siteId !== before.siteId) await checkSite(inner, wanted.siteId)
    const after = await store.changeTarget(inner, id, wanted)
    if (after.scope !== before.scope) await moveObservationsLater(inner, before)
    const details = { name: after.name, ...difference(said(before), said(after)) }
    await record(inner, 'target.updated', { type: 'target', id }, details)
    return after
  })
}

/** Newest first. */
export async function listTargets(ctx: Ctx): Promise<Target[]> {
  permit(ctx, 'scans:read')
  return store.targets(ctx)
}

/** The scans of the target stay. Refused while one is under way. */
export async function deleteTarget(ctx: Ctx, id: string): Promise<void> {
  permit(ctx, 'scans:write')
  await atomically(ctx, async (inner) => {
    const { name, kind, address } = await targetOf(inner, id)
    if (await store.isBeingScanned(inner, id))
      throw conflict('a scan of the target is under way; cancel it first')
    await store.removeTarget(inner, id).catch((error: unknown) => {
      throw isReferenced(error) ? conflict('a discovery looks at the target; delete that first') : error
    })
    await record(inner, 'target.deleted', { type: 'target', id }, { name, kind, address })
  })
}

/** Locked against deletion until the transaction ends. */
export async function targetOf(ctx: Ctx, id: string): Promise<Target> {
  const target = isUuid(id) ? await store.target(ctx, id) : undefined
  if (!target) throw notFound('scan target')
  return target
}

function withChanges(before: Target, changes: TargetChanges): NewTarget {
  const { name = before.name, collectorIds = before.collectorIds, cidr, host, ...others } = changes
  const { industrialReads = before.industrialReads, siteId = before.siteId, ...lists } = others
  const own = { name, collectorIds, siteId, industrialReads }
  if (cidr !== undefined || host !== undefined)
    return { ...own, ...(cidr !== undefined && { cidr }), ...(host !== undefined && { host }), ...lists }
  if (lists.entries === undefined && lists.exclusions === undefined && before.kind !== 'range')
    return { ...own, [before.kind]: before.address }
  const { entries = before.entries, exclusions = before.exclusions } = lists
  return { ...own, entries, exclusions }
}

async function checkSite(ctx: Ctx, siteId: string | null): Promise<void> {
  if (siteId === null) return
  const found = (await findPlaces(ctx)).all.find(({ id }) => id === siteId)
  if (!found) throw notFound('site')
  if (found.kind !== 'site') throw invalid('siteId', `is no site: ${found.path} is a ${found.kind}`)
}

async function refuseWider(ctx: Ctx, target: Target): Promise<void> {
  const [first] = await credentialsBoundTo(ctx, target.id)
  if (first === undefined) return
  throw invalid(
    'entries',
    `name more than before, and ${first} is bound to this target: it would be shown there too; make another target, or take it off ${first} first`,
  )
}

/** PostgreSQL's foreign_key_violation: something below in the order of features refers to it. */
const isReferenced = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '23503'

const said = ({ name, kind, address, exclusions, collectorIds, siteId, industrialReads }: TargetFields) => ({
  name,
  kind,
  address,
  ...(exclusions.length > 0 && { exclusions }),
  ...(collectorIds.length > 0 && { collectorIds }),
  ...(siteId !== null && { siteId }),
  ...(industrialReads.length > 0 && { industrialReads }),
})
