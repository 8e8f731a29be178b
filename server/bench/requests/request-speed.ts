import type pg from 'pg'
import { submit } from '#features/sources/sources.ts'
import type { Runtime } from '../../src/startup/runtime.ts'
import type { Load, Loaded, Question } from './load-client.ts'
import { judge, percentile, type Measured } from '../ratio.ts'
import { startRaw, type Client, type RunningServer } from '../processes.ts'
import type { Asking } from './request-sets.ts'
import { statementsOf } from './recorded-statements.ts'
import type { Scratch } from '../scratch-installation.ts'
import { observationOf, seenAtOf, SOURCE } from '../seed/seeded-assets.ts'

export interface Bench {
  readonly scratch: Scratch
  readonly tenantId: string
  /** How many things the tenant has. */
  readonly size: number
  readonly counted: Map<string, number>
  readonly product: RunningServer
  readonly client: Client
  readonly apiKey: string
  /** For each side of each measure. */
  readonly seconds: number
}

const RATIO_GOAL = 0.6
/** Product and limit take turns, so that whatever else the machine does befalls both. */
const ROUNDS = 10
const WARM_UP_SECONDS = 1
/** As many as the product's pool has. */
const CONNECTIONS = 10
const CHANGE_EVERY_MS = 100

export async function measureReading(bench: Bench, asking: Asking): Promise<Measured> {
  const { scratch, tenantId, size } = bench
  const questions = await asking.questions({
    tenantId,
    size,
    superuser: scratch.superuser,
    counted: bench.counted,
  })
  const statements = await statementsByPath(scratch.runtime, tenantId, questions)
  const raw = await startRaw({ where: scratch.where, tenantId, connections: CONNECTIONS, statements })
  const stopChanging = asking.isChanging ? keepChanging(bench) : ignore
  try {
    const [ours, limit] = await inTurns(
      bench,
      loadsOf(bench, { questions, concurrency: asking.concurrency }, raw),
    )
    const milliseconds = ours.flatMap((each) => each.milliseconds)
    return judge({
      name: asking.name,
      title: asking.title,
      perSecond: percentile(ours.map(rateOf), 0.5),
      limitPerSecond: percentile(limit.map(rateOf), 0.5),
      ratio: percentile(
        ours.map((each, round) => rateOf(each) / rateOf(limit[round] as Loaded)),
        0.5,
      ),
      goals: { ratio: RATIO_GOAL, p95Ms: asking.p95GoalMs },
      p50Ms: percentile(milliseconds, 0.5),
      p95Ms: percentile(milliseconds, 0.95),
      refused: ours.reduce((sum, each) => sum + each.refused, 0),
      faults: [...new Set([...ours, ...limit].flatMap(({ faults }) => faults))],
    })
  } finally {
    stopChanging()
    await raw.stop()
  }
}

/** Takes sightings in, ten times a second, until what is returned is called. */
export function keepChanging(bench: Bench): () => void {
  let turn = 0
  const timer = setInterval(() => void seeSomething(bench, ++turn).catch(ignore), CHANGE_EVERY_MS)
  return () => clearInterval(timer)
}

/** Of which one has another model than before. */
const SEEN_AT_ONCE = 5

/**
 * Sightings as sources report them: most only move the time, one changes an attribute. No condition that is measured
 * asks about what changes, but each names a table in which it does, so nothing can be answered without another look.
 */
async function seeSomething({ scratch, tenantId, size }: Bench, turn: number): Promise<void> {
  const seenAt = new Date(seenAtOf(0).getTime() + turn)
  const observations = Array.from({ length: SEEN_AT_ONCE }, (_, at) =>
    observationOf((turn * SEEN_AT_ONCE + at) % Math.min(size, SEEN_MAX), seenAt),
  )
  const [first, ...others] = observations
  if (!first) return
  const changed = { ...first, model: `${first.model} rev. ${turn}` }
  await submit(scratch.runtime.contextFor(tenantId), SOURCE, [changed, ...others])
}

/** Of the newest, whose time does not decide about any condition. */
const SEEN_MAX = 10_000

async function statementsByPath(
  runtime: Runtime,
  tenantId: string,
  questions: readonly Question[],
): Promise<Map<string, readonly pg.QueryConfig[]>> {
  const found = new Map<string, readonly pg.QueryConfig[]>()
  for (const { path } of questions) found.set(path, await statementsOf(runtime, tenantId, path))
  return found
}

type Side = Omit<Load, 'seconds'>

function loadsOf(
  { product, apiKey }: Bench,
  { questions, concurrency }: Pick<Load, 'questions' | 'concurrency'>,
  raw: RunningServer,
): readonly [Side, Side] {
  return [
    { address: product.address, headers: { 'x-api-key': apiKey }, questions, concurrency },
    { address: raw.address, headers: {}, questions: questions.map(({ path }) => ({ path })), concurrency },
  ]
}

async function inTurns(
  { client, seconds }: Bench,
  [ours, limit]: readonly [Side, Side],
): Promise<readonly [Loaded[], Loaded[]]> {
  const atLeast = ours.questions.length
  for (const side of [ours, limit]) await client.load({ ...side, seconds: WARM_UP_SECONDS, atLeast })
  const loaded: readonly [Loaded[], Loaded[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    loaded[0].push(await client.load({ ...ours, seconds: seconds / ROUNDS }))
    loaded[1].push(await client.load({ ...limit, seconds: seconds / ROUNDS }))
  }
  return loaded
}

const rateOf = ({ milliseconds, refused, seconds }: Loaded): number =>
  (milliseconds.length - refused) / seconds

/** A sighting that comes to nothing on a busy machine. */
function ignore(): void {}
