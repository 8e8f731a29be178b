import pg from 'pg'
import { listSources, submit } from '#features/sources/sources.ts'
import type { SubmitResult } from '#features/sources/source.ts'
import { createTenant } from '#features/tenancy/tenancy.ts'
import type { Ctx } from '#platform/context.ts'
import { copyIn } from '../seed/copy-rows.ts'
import { intakeRows, type Owner } from '../seed/intake-rows.ts'
import { judge, percentile, type Measured } from '../ratio.ts'
import type { Bench } from '../requests/request-speed.ts'
import { observationOf, SOURCE } from '../seed/seeded-assets.ts'

const RATIO_GOAL = 0.25
const NEW_PER_SECOND_GOAL = 3_000
const KNOWN_PER_SECOND_GOAL = 10_000
/** Observations of a batch, which is a transaction; the most that the intake takes at once. */
const BATCH = 1_000
const TURN = 5 * BATCH
/** Without a divisor in common with the size, so that known things are met all over the estate. */
const STRIDE = 7_919

/**
 * How many observations of new and of known things a second become assets, against COPY of the rows of as many new
 * things into the same tables. All three take turns on the tenant's tables; the copied rows are another tenant's.
 */
export async function measureIntake(bench: Bench): Promise<Measured[]> {
  const { size } = bench
  const { runtime, superuser } = bench.scratch
  const ctx = runtime.contextFor(bench.tenantId)
  const copying = await openCopying(bench, superuser)
  const turns: Turn[] = []
  try {
    for (const end = performance.now() + 3 * bench.seconds * 1_000; performance.now() < end;) {
      const numbers = range(size + turns.length * TURN, TURN)
      const known = range(turns.length * TURN, TURN).map((n) => (n * STRIDE) % size)
      turns.push({
        created: await rateOf(() => takeIn(ctx, numbers, (result) => result.created)),
        copied: await copying.copy(numbers),
        // measures before this one change a few of them
        known: await rateOf(() =>
          takeIn(ctx, known, ({ unchanged, updated }) => unchanged + updated, new Date()),
        ),
      })
    }
  } finally {
    await copying.close()
  }
  const faults = await wrongTotal(bench, size + turns.length * TURN)
  return [
    judge({
      name: 'intake',
      title: 'Intake, new things',
      ...compare(turns, ({ created }) => created),
      goals: { ratio: RATIO_GOAL, perSecond: NEW_PER_SECOND_GOAL },
      faults,
    }),
    judge({
      name: 'intake',
      title: 'Intake, known things',
      ...compare(turns, ({ known }) => known),
      goals: { ratio: RATIO_GOAL, perSecond: KNOWN_PER_SECOND_GOAL },
      faults: [],
    }),
  ]
}

/** Observations a second, each way. */
interface Turn {
  readonly created: number
  readonly known: number
  readonly copied: number
}

const compare = (turns: readonly Turn[], ours: (turn: Turn) => number) => ({
  perSecond: percentile(turns.map(ours), 0.5),
  limitPerSecond: percentile(
    turns.map(({ copied }) => copied),
    0.5,
  ),
  ratio: percentile(
    turns.map((turn) => ours(turn) / turn.copied),
    0.5,
  ),
})

const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, at) => from + at)

/** Of the observations of one turn, a second. */
async function rateOf(work: () => Promise<void>): Promise<number> {
  const begunAt = performance.now()
  await work()
  return (TURN * 1_000) / (performance.now() - begunAt)
}

/** Batches one after the other, as a scan or an import brings them. Each observation must have the outcome meant. */
async function takeIn(
  ctx: Ctx,
  numbers: readonly number[],
  meant: (result: SubmitResult) => number,
  seenAt?: Date,
): Promise<void> {
  for (let from = 0; from < numbers.length; from += BATCH) {
    const batch = numbers.slice(from, from + BATCH).map((n) => observationOf(n, seenAt))
    const result = await submit(ctx, SOURCE, batch)
    if (meant(result) !== batch.length)
      throw new Error(`unexpected outcome of a batch: ${JSON.stringify(result)}`)
  }
}

interface Copying {
  /** Answers the rate. Working out the rows is not counted. */
  readonly copy: (numbers: readonly number[]) => Promise<number>
  readonly close: () => Promise<void>
}

async function openCopying({ scratch }: Bench, superuser: pg.ClientConfig): Promise<Copying> {
  const { runtime } = scratch
  const tenant = await createTenant(runtime.system, { slug: 'bench-copy', name: 'Copied' })
  const ctx = runtime.contextFor(tenant.id)
  await submit(ctx, SOURCE, [observationOf(0)])
  const [source] = await listSources(ctx)
  const owner: Owner = { tenantId: tenant.id, source: source as Owner['source'] }
  const client = new pg.Client(superuser)
  await client.connect()
  return {
    async copy(numbers) {
      const tables = intakeRows(
        owner,
        numbers.map((n) => observationOf(n)),
        new Date(),
      )
      return rateOf(async () => {
        await client.query('begin')
        for (const rows of tables) await copyIn(client, rows)
        await client.query('commit')
      })
    },
    close: () => client.end(),
  }
}

/** What the product tells afterwards, against what there is. */
async function wrongTotal({ client, product, apiKey }: Bench, total: number): Promise<readonly string[]> {
  const { faults } = await client.load({
    address: product.address,
    headers: { 'x-api-key': apiKey },
    questions: [{ path: '/api/v1/assets?limit=1', total }],
    concurrency: 1,
    seconds: 0.1,
  })
  return faults
}
