import type { Ctx } from '#platform/context.ts'
import type { Among, CheckGroup } from './check-group-store.ts'
import * as store from './outcome-store.ts'
import { writeScopes } from './scope-store.ts'

/**
 * Judges assets by all checks of a group at once and writes where that differs from what is written: results, scopes, and
 * the counts of both. In a transaction that holds the lock of the adoptions.
 */
export async function judgeAssets(ctx: Ctx, group: CheckGroup, among: Among): Promise<void> {
  const differing = await store.differing(ctx, group, among)
  if (differing.length === 0) return
  const begun = differing.flatMap(({ id, found, foundBefore }) =>
    resultsOf(group, id, without(found, foundBefore)),
  )
  const ended = differing.flatMap(({ id, found, foundBefore }) =>
    resultsOf(group, id, without(foundBefore, found)),
  )
  // what failed and is unknown now, or the other way round, is the same row
  const rows = new Set(begun.map(keyOf))
  const removed = ended.filter((it) => !rows.has(keyOf(it)))
  if (removed.length > 0) await store.removeResults(ctx, removed)
  if (begun.length > 0) await store.putResults(ctx, begun)
  if (begun.length + ended.length > 0) await store.moveCounts(ctx, movesOf(begun, ended))
  await writeScopes(ctx, differing)
}

const without = (some: readonly number[], others: readonly number[]): readonly number[] =>
  others.length === 0 ? some : some.filter((it) => !others.includes(it))

const resultsOf = ({ checks }: CheckGroup, assetId: string, findings: readonly number[]): store.Result[] =>
  findings.flatMap((finding): store.Result[] => {
    const check = checks[Math.floor(finding / 2) - 1]
    return check ? [{ checkId: check.id, assetId, outcome: finding % 2 === 0 ? 'f' : 'u' }] : []
  })

const keyOf = ({ checkId, assetId }: store.Result): string => `${checkId} ${assetId}`

function movesOf(begun: readonly store.Result[], ended: readonly store.Result[]): store.Move[] {
  const moves = new Map<string, { failed: number; unknown: number }>()
  for (const [results, by] of [
    [begun, 1],
    [ended, -1],
  ] as const)
    for (const { checkId, outcome } of results) {
      const move = moves.get(checkId) ?? { failed: 0, unknown: 0 }
      moves.set(checkId, move)
      move[outcome === 'f' ? 'failed' : 'unknown'] += by
    }
  return [...moves].map(([checkId, move]) => ({ checkId, ...move }))
}
