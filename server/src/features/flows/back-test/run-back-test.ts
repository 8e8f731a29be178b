import { assetsById } from '#features/assets/assets.ts'
import { countEvents, eventsInOrder } from '#features/events/events.ts'
import type { Ctx } from '#platform/context.ts'
import { Refusal, unreachable } from '#platform/errors.ts'
import { job } from '#platform/jobs/job.ts'
import { areTrue } from '../definition/flow-condition.ts'
import type { Definition } from '../flow.ts'
import { assetOf } from '../triggers/on-event.ts'
import { timesAfter } from '../triggers/schedule.ts'
import type { BackTestResult, Known } from './back-test.ts'
import * as store from './back-test-store.ts'
import { overMoves } from './over-moves.ts'
import { newTally, tallyRun, type Tally } from './tally.ts'

export const backTestJob = job<{ readonly id: string }>('flows.backTest')

const EVENTS_AT_ONCE = 500
const ASSETS_AT_ONCE = 1_000
const DAY_MS = 86_400_000
const TIMES_MAX = 10_000

/** Worker: reads the events batch by batch, none of them at once in memory. Begun again after a crash. */
export async function runBackTest(
  ctx: Ctx,
  { id }: { readonly id: string },
  signal: AbortSignal,
): Promise<void> {
  const wanted = await store.work(ctx, id)
  if (!wanted) return
  try {
    const result = await tryDefinition(ctx, wanted, newTally(), signal)
    await store.finish(ctx, id, { status: 'completed', result })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await store.finish(ctx, id, { status: 'failed', message: error.message })
  }
}

/** Throws the reason of the signal when that aborts; `tally` has what was found until then. */
export async function tryDefinition(
  ctx: Ctx,
  { id, definition, days }: Pick<store.NewBackTest, 'id' | 'definition' | 'days'>,
  ...[tally, signal]: [Tally, AbortSignal]
): Promise<BackTestResult> {
  const { trigger } = definition
  const until = ctx.now()
  const since = new Date(until.getTime() - days * DAY_MS)
  switch (trigger.kind) {
    case 'event':
      await overEvents(ctx, { id, definition, since, until }, tally, signal)
      return resultOf(ctx, tally, days, { note: NOTES.event })
    case 'schedule':
      for (const at of timesAfter(trigger, since, TIMES_MAX)) {
        if (at > until) break
        tallyRun(tally, { id, definition }, { at: at.toISOString(), eventId: '', assetId: null })
      }
      return resultOf(ctx, tally, days, { note: '' })
    case 'query': {
      const known = await overMoves(ctx, { id, definition, trigger, since }, tally, signal)
      return resultOf(ctx, tally, days, known)
    }
    case 'webhook':
    case 'manual':
      return resultOf(ctx, tally, days, { note: NOTES[trigger.kind], isKnown: false })
    default:
      return unreachable(trigger)
  }
}

const NOTES = {
  event:
    'Assets are taken as they are now, flows that others start are not followed, and runs are taken to end at once.',
  webhook: 'Requests from outside are not kept; this trigger cannot be tried over the past.',
  manual: 'It runs when somebody starts it; there is nothing to try.',
} as const

interface Tried {
  readonly id: string
  readonly definition: Definition
  readonly since: Date
  readonly until: Date
}

async function overEvents(ctx: Ctx, tried: Tried, ...[tally, signal]: [Tally, AbortSignal]): Promise<void> {
  const { id, definition, since, until } = tried
  const { trigger } = definition
  if (trigger.kind !== 'event') return
  const range = { types: trigger.eventTypes, since, until }
  const total = await countEvents(ctx, range)
  let done = 0
  for await (const events of eventsInOrder(ctx, range, EVENTS_AT_ONCE)) {
    signal.throwIfAborted()
    const asked = events.map(({ body, before }) => {
      const event = JSON.parse(body.toString()) as Readonly<Record<string, unknown>>
      const context = { event, steps: {}, ...(before && { before }) }
      return { text: definition.condition, trigger, assetId: assetOf(event), context }
    })
    const matches = await areTrue(ctx, asked)
    events.forEach(({ id: eventId, occurredAt }, n) => {
      if (!matches[n]) return
      const assetId = asked[n]?.assetId ?? null
      tallyRun(tally, { id, definition }, { at: occurredAt.toISOString(), eventId, assetId })
    })
    done += events.length
    await store.progress(ctx, id, done, total)
  }
}

async function resultOf(
  ctx: Ctx,
  { runs, skipped, assets, sample }: Tally,
  ...[days, { note, isKnown = true }]: [number, Known]
): Promise<BackTestResult> {
  const ids = [...new Set(sample.flatMap(({ assetId }) => assetId ?? []))]
  const names = new Map<string, string>()
  for (let n = 0; n < ids.length; n += ASSETS_AT_ONCE)
    for (const { id, name } of await assetsById(ctx, ids.slice(n, n + ASSETS_AT_ONCE))) names.set(id, name)
  const guards = [...skipped].map(([guard, times]) => ({ guard, count: times }))
  const parts = [
    runs === 1 ? '1 run' : `${runs} runs`,
    ...guards.map(({ guard, count: times }) => `${times} skipped by ${guard}`),
    ...(assets.size > 0 ? [assets.size === 1 ? 'about 1 asset' : `about ${assets.size} assets`] : []),
  ]
  return {
    runs,
    skipped: guards,
    assets: assets.size,
    sample: sample.map((it) => ({ ...it, assetName: names.get(it.assetId ?? '') ?? '' })),
    summary: isKnown
      ? `In the last ${days} days: ${parts.join(', ')}.`
      : 'What it would have done is not known.',
    note,
  }
}
