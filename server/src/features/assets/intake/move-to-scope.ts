import type { Ctx } from '#platform/context.ts'
import { bareName } from '../identity/identifiers.ts'
import { copyTo } from '../remembered-names/remembered-name-store.ts'
import { lockTenant, observedOfAssets } from './observation-read-store.ts'
import type { ObservationRecord } from './observation-record.ts'
import { keyIn, scanKinds } from './observation-scope.ts'
import * as store from './observation-write-store.ts'
import { recluster } from './recluster.ts'

export interface ScopeMove {
  readonly from: string
  readonly to: string
  /** Whether what was seen at the address moves. */
  readonly moves: (address: string) => boolean
}

const ASSETS_PER_COMMIT = 200

/**
 * Moves what scans saw in one network at these addresses to another, with the names that people said are one phone each, and decides anew which of it is one asset: the next
 * assets, in the caller's transaction. Returns the asset to go on after; undefined: these were the last. What was seen in
 * the new network already under the same key stays as it is there.
 */
export async function moveToScope(
  ctx: Ctx,
  { from, to, moves }: ScopeMove,
  after: string,
): Promise<string | undefined> {
  await lockTenant(ctx)
  const kinds = [...scanKinds]
  const assetIds = await store.assetsScannedIn(
    ctx,
    { scope: from, kinds },
    { after, limit: ASSETS_PER_COMMIT },
  )
  const leaving = (await observedOfAssets(ctx, assetIds)).filter(
    (it) => it.scope === from && scanKinds.has(it.source.kind) && isAt(it, moves),
  )
  const moved = leaving.map((it): ObservationRecord => ({ ...it, scope: to, sourceKey: keyIn(it, to) }))
  const done = new Set(await store.changeScopes(ctx, moved))
  const changed = moved.filter(({ id }) => done.has(id))
  if (changed.length > 0) {
    const storedRecords = new Map(leaving.map((it) => [it.id, it]))
    await copyTo(ctx, { from, to }, changed.flatMap(namesOf))
    await recluster(ctx, { changed, storedRecords })
  }
  return assetIds.length < ASSETS_PER_COMMIT ? undefined : assetIds.at(-1)
}

const isAt = ({ current }: ObservationRecord, moves: ScopeMove['moves']): boolean =>
  current.some(({ type, value }) => type === 'ip' && moves(value))

const namesOf = ({ identifiers }: ObservationRecord): string[] =>
  identifiers.filter(({ type }) => type === 'hostname').map(({ value }) => bareName(value))
