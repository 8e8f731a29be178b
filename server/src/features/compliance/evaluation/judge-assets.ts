import type { Among } from '#platform/conditions/compiling/pass-over-elements.ts'
import type { Ctx } from '#platform/context.ts'
import type { Check } from '../checks/check.ts'
import { groupChecks, type CheckGroup } from './check-group-store.ts'
import * as store from './outcome-store.ts'
import { writeScopes } from './scope-store.ts'

/** The most results in one statement. */
const ROWS_AT_ONCE = 20_000
const UNDECIDED = 'the database cannot decide it for some assets'

export interface Judged {
  /** Why some of the checks could not be judged, by check; what is written of those stays. */
  readonly faults: ReadonlyMap<string, string>
  /** How many assets got another result than they had; an asset counts once for each group of checks. */
  readonly differing: number
}

/**
 * Judges assets by these checks as they are now, and writes where that differs from what is written: results, scopes, and
 * the counts of both. In a transaction that holds the lock of the adoptions.
 */
export async function judgeAssets(ctx: Ctx, checks: readonly Check[], among: Among): Promise<Judged> {
  const { groups, faults } = await groupChecks(ctx, checks)
  const found = new Map(faults)
  let written = 0
  for (const waiting = [...groups]; ;) {
    const group = waiting.shift()
    if (!group) return { faults: found, differing: written }
    const differing = await store.differingUnlessFailing(ctx, group, among)
    if (!(differing instanceof Error)) {
      await writeDifferences(ctx, group, differing)
      written += differing.length
      continue
    }
    const halves = await group.halves()
    waiting.unshift(...halves)
    if (halves.length > 0) continue
    for (const { id: checkId } of group.checks) {
      ctx.log.error(
        { tenantId: ctx.tenantId, checkId, err: differing },
        'a compliance check cannot be judged',
      )
      found.set(checkId, UNDECIDED)
    }
  }
}

async function writeDifferences(
  ctx: Ctx,
  group: CheckGroup,
  differing: readonly store.Differing[],
): Promise<void> {
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
  for (const some of parts(removed)) await store.removeResults(ctx, some)
  for (const some of parts(begun)) await store.putResults(ctx, some)
  if (begun.length + ended.length > 0) await store.moveCounts(ctx, movesOf(begun, ended))
  await writeScopes(ctx, differing)
}

const parts = <T>(rows: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(rows.length / ROWS_AT_ONCE) }, (_, at) =>
    rows.slice(at * ROWS_AT_ONCE, (at + 1) * ROWS_AT_ONCE),
  )

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
