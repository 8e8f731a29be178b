import type { Row } from '#platform/conditions/field.ts'
import { permit, type Ctx } from '#platform/context.ts'
import { NIL_UUID } from '#platform/uuid.ts'
import { softwareFields } from '../conditions/software-conditions.ts'
import * as store from './software-over-time-store.ts'

const ASSETS_PER_SCAN = 20_000
const ASSETS_AT_ONCE = 200

/** The software of one asset at any time since a day, as conditions read the elements of `software`. */
export interface SoftwareOverTime {
  /** When it changed, in milliseconds since 1970. */
  readonly times: readonly number[]
  /** What was installed after the changes of that time; before the first report what that report told. */
  readonly at: (atMs: number) => readonly Row[]
}

/** Assets whose software changed since then, at most 200 at a time. */
export async function* assetsWithSoftwareChanges(ctx: Ctx, since: Date): AsyncGenerator<readonly string[]> {
  permit(ctx, 'assets:read')
  for (let after = NIL_UUID; ;) {
    const ids = await store.assetsWithChanges(ctx, { since, after, limit: ASSETS_PER_SCAN })
    for (let n = 0; n < ids.length; n += ASSETS_AT_ONCE) yield ids.slice(n, n + ASSETS_AT_ONCE)
    if (ids.length < ASSETS_PER_SCAN) return
    after = ids.at(-1) ?? ''
  }
}

/** By asset, of those of which software is known; at most some hundreds of assets. */
export async function softwareOverTime(
  ctx: Ctx,
  assetIds: readonly string[],
  since: Date,
): Promise<ReadonlyMap<string, SoftwareOverTime>> {
  permit(ctx, 'assets:read')
  const held = await store.heldBy(ctx, assetIds)
  const turns = await store.turnsOf(ctx, assetIds, since)
  const ids = [
    ...held.flatMap(({ softwareIds }) => softwareIds),
    ...turns.flatMap(({ softwareId, formerId }) => [softwareId, ...(formerId === null ? [] : [formerId])]),
  ]
  const rows = await store.rowsOf(ctx, softwareFields(ctx), [...new Set(ids)])
  const turnsByAsset = Map.groupBy(turns, ({ assetId }) => assetId)
  return new Map(
    [...Map.groupBy(held, ({ assetId }) => assetId)].map(([assetId, sets]) => [
      assetId,
      overTime(sets, turnsByAsset.get(assetId) ?? [], rows),
    ]),
  )
}

type Sets = readonly Pick<store.Held, 'observationId' | 'softwareIds'>[]
type Turn = Omit<store.SoftwareTurn, 'assetId'>

/** Pure. `newestFirst` is undone one after the other, from what is installed now. */
export function overTime(
  now: Sets,
  newestFirst: readonly Turn[],
  rows: ReadonlyMap<number, Row>,
): SoftwareOverTime {
  return {
    times: [...new Set(newestFirst.map(({ atMs }) => atMs))].sort((a, b) => a - b),
    at(atMs) {
      const held = new Map(now.map((it) => [it.observationId, new Set(it.softwareIds)]))
      for (const turn of newestFirst) {
        if (turn.atMs <= atMs) break
        undo(held.get(turn.observationId), turn)
      }
      const ids = new Set([...held.values()].flatMap((it) => [...it]))
      return [...ids].flatMap((id) => {
        const row = rows.get(id)
        return row ? [row] : []
      })
    },
  }
}

function undo(ids: Set<number> | undefined, { kind, softwareId, formerId }: Turn): void {
  if (kind === 'removed') ids?.add(softwareId)
  else ids?.delete(softwareId)
  if (formerId !== null) ids?.add(formerId)
}
