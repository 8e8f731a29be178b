import { assetsById } from '#features/assets/assets.ts'
import { evaluate } from '#platform/conditions/evaluate.ts'
import type { Row } from '#platform/conditions/field.ts'
import { subjectRows } from '#platform/conditions/subject-rows.ts'
import { readCondition } from '#platform/conditions/with-condition.ts'
import type { Ctx } from '#platform/context.ts'
import { areTrue } from '../definition/flow-condition.ts'
import type { Definition, QueryTrigger } from '../flow.ts'
import { asksAboutTime, movesOverTime } from './moves-over-time.ts'
import { asksAbout } from './asks-about.ts'
import { historiesSince } from './histories.ts'
import { movesOf, type Move } from './moves-over-histories.ts'
import type { Known } from './back-test.ts'
import { tallyRun, type Tally } from './tally.ts'

/** More than so many are not gone through: the list of them is sorted in memory. */
const MOVES_MAX = 100_000
const ASKED_AT_ONCE = 500

const NOTES = {
  unknown:
    'When a condition on assets was true in the past is not known unless it asks about findings, software or spans of time; this trigger cannot be tried over it.',
  replayed:
    'What became of findings and software is gone through; everything else of the assets is taken as it is now, and runs are taken to end at once.',
  timePassed:
    'Assets are taken as they are now; what is gone through, day by day, is how time has passed since they were seen, or until something ends.',
  tooMany: `More than ${MOVES_MAX} assets moved; the rest is left out. `,
} as const

interface Tried {
  readonly id: string
  readonly definition: Definition
  readonly trigger: QueryTrigger
  readonly since: Date
}

type AssetMove = Move & { readonly assetId: string }

/**
 * Tries a query trigger over the histories of findings and software, or over the days that have passed; answers what has to be known of
 * the result.
 */
export async function overMoves(
  ctx: Ctx,
  tried: Tried,
  ...[tally, signal]: [Tally, AbortSignal]
): Promise<Known> {
  const { found, note, isKnown = true } = await movesSince(ctx, tried, signal)
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
  return { note: (moves.length > MOVES_MAX ? NOTES.tooMany : '') + note, isKnown }
}

interface Moves extends Known {
  readonly found: readonly AssetMove[]
}

async function movesSince(ctx: Ctx, { trigger, since }: Tried, signal: AbortSignal): Promise<Moves> {
  const subject = await ctx.conditions.on(ctx, 'asset')
  const { vocabulary } = subject
  const condition = readCondition(subject, 'trigger.condition', trigger.condition)
  if (!asksAbout(condition, 'findings') && !asksAbout(condition, 'software')) {
    if (!asksAboutTime(condition)) return { found: [], note: NOTES.unknown, isKnown: false }
    return { found: await movesOverTime(ctx, trigger.condition, since, signal), note: NOTES.timePassed }
  }
  const holds = (row: Row, now: Date) => evaluate(condition, row, { now, vocabulary }) === true
  const moves: AssetMove[] = []
  for await (const histories of historiesSince(ctx, condition, since)) {
    signal.throwIfAborted()
    for (const [assetId, row] of await subjectRows(ctx.db, subject, [...histories.keys()]))
      for (const move of movesOf(row, histories.get(assetId) ?? [], since.getTime(), holds))
        moves.push({ ...move, assetId })
    if (moves.length > 2 * MOVES_MAX) break
  }
  return { found: moves, note: NOTES.replayed }
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
