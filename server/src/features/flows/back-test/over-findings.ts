import { assetsById } from '#features/assets/assets.ts'
import { findingTurnsSince } from '#features/vulnerabilities/vulnerabilities.ts'
import { evaluate } from '#platform/conditions/evaluate.ts'
import type { Row } from '#platform/conditions/field.ts'
import { subjectRows } from '#platform/conditions/subject-rows.ts'
import { readCondition } from '#platform/conditions/with-condition.ts'
import type { Ctx } from '#platform/context.ts'
import { areTrue } from '../definition/flow-condition.ts'
import type { Definition, QueryTrigger } from '../flow.ts'
import { asksAboutFindings, movesOf, type Move } from './replay-findings.ts'
import { tallyRun, type Tally } from './tally.ts'

/** More than so many are not gone through: the list of them is sorted in memory. */
const MOVES_MAX = 100_000
const ASKED_AT_ONCE = 500

const NOTES = {
  unknown:
    'When a condition on assets was true in the past is not known unless it asks about findings; this trigger cannot be tried over it.',
  replayed:
    'What became of findings is gone through; everything else of the assets is taken as it is now, and runs are taken to end at once.',
  tooMany: `More than ${MOVES_MAX} assets moved; the rest is left out. `,
} as const

interface Tried {
  readonly id: string
  readonly definition: Definition
  readonly trigger: QueryTrigger
  readonly since: Date
}

type AssetMove = Move & { readonly assetId: string }

/** Tries a query trigger over the history of findings; answers what has to be known of the result. */
export async function overFindings(
  ctx: Ctx,
  tried: Tried,
  ...[tally, signal]: [Tally, AbortSignal]
): Promise<string> {
  const found = await movesSince(ctx, tried, signal)
  if (!found) return NOTES.unknown
  const { trigger } = tried
  const moves = found.filter(({ move }) => move === trigger.on).toSorted((a, b) => a.atMs - b.atMs)
  const wanted = moves.slice(0, MOVES_MAX)
  const runs =
    trigger.per === 'asset'
      ? wanted.map((it) => [it] as const)
      : [...Map.groupBy(wanted, ({ atMs }) => atMs).values()]
  for (let n = 0; n < runs.length; n += ASKED_AT_ONCE) {
    signal.throwIfAborted()
    await tallyRuns(ctx, tried, runs.slice(n, n + ASKED_AT_ONCE), tally)
  }
  return (moves.length > MOVES_MAX ? NOTES.tooMany : '') + NOTES.replayed
}

/** Undefined: findings have no say in the condition. */
async function movesSince(
  ctx: Ctx,
  { trigger, since }: Tried,
  signal: AbortSignal,
): Promise<AssetMove[] | undefined> {
  const subject = await ctx.conditions.on(ctx, 'asset')
  const { vocabulary } = subject
  const condition = readCondition(subject, 'trigger.condition', trigger.condition)
  if (!asksAboutFindings(condition)) return undefined
  const holds = (row: Row, now: Date) => evaluate(condition, row, { now, vocabulary }) === true
  const moves: AssetMove[] = []
  for await (const turns of findingTurnsSince(ctx, since)) {
    signal.throwIfAborted()
    for (const [assetId, row] of await subjectRows(ctx.db, subject, [...turns.keys()]))
      for (const move of movesOf(row, turns.get(assetId) ?? [], since.getTime(), holds))
        moves.push({ ...move, assetId })
    if (moves.length > 2 * MOVES_MAX) break
  }
  return moves
}

async function tallyRuns(
  ctx: Ctx,
  { id, definition, trigger }: Tried,
  ...[runs, tally]: [(readonly AssetMove[])[], Tally]
): Promise<void> {
  const ids = [...new Set(runs.flat().map(({ assetId }) => assetId))]
  const names = new Map((await assetsById(ctx, ids)).map((it) => [it.id, it.name]))
  const asked = runs.map((together) => {
    const assets = together.map((it) => ({ asset_id: it.assetId, asset_name: names.get(it.assetId) ?? '' }))
    const isOne = trigger.per === 'asset'
    const event = { move: trigger.on, ...(isOne ? assets[0] : { count: assets.length, assets }) }
    const assetId = isOne ? (together[0]?.assetId ?? null) : null
    return { text: definition.condition, trigger, assetId, context: { event, steps: {} } }
  })
  const matches = await areTrue(ctx, asked)
  for (const [n, together] of runs.entries()) {
    const at = new Date(together[0]?.atMs ?? 0).toISOString()
    if (matches[n])
      tallyRun(tally, { id, definition }, { at, eventId: '', assetId: asked[n]?.assetId ?? null })
  }
}
