import pg from 'pg'
import { evaluateNow } from '#features/compliance/compliance.ts'
import { submit } from '#features/sources/sources.ts'
import { enqueueMatching, processMatchingQueue } from '#features/vulnerabilities/vulnerabilities.ts'
import { measureBatches } from '../compliance/batch-speed.ts'
import { costOf } from '../compliance/cost.ts'
import { observationOf, SOURCE } from '../seed/seeded-assets.ts'
import type { GrowthCost } from './growth-costs.ts'
import type { GrowthScene } from './growth-scene.ts'

const BATCH = 1_000
const BATCHES = 5
const MATCHED = 1_000
/** Without a divisor in common with the sizes, so that known things are met all over the estate. */
const STRIDE = 7_919
const COMPLIANCE_BATCH = 500

/** What changes the estate, last. */
export async function measureWrites(scene: GrowthScene): Promise<GrowthCost[]> {
  const { size, say } = scene
  const intake = async (
    name: string,
    numberOf: (n: number) => number,
    seenAt?: Date,
  ): Promise<GrowthCost> => {
    const cost = await perThing(scene, BATCHES * BATCH, async () => {
      for (let batch = 0; batch < BATCHES; batch += 1)
        await submit(
          scene.ctx,
          SOURCE,
          Array.from({ length: BATCH }, (_, n) => observationOf(numberOf(batch * BATCH + n), seenAt)),
        )
    })
    say(`${name}: ${cost.toFixed(3)} ms each`)
    return { name, kind: 'write', unit: 'ms', cost }
  }
  return [
    await intake('intake of a new thing', (n) => size + n),
    await intake('intake of a known thing', (n) => (n * STRIDE) % size, new Date()),
    ...(await measureMatching(scene)),
    ...(await measureCompliance(scene)),
  ]
}

/** Nothing in the catalogue fits the seeded software: matching ends the seeded findings of these assets. */
async function measureMatching(scene: GrowthScene): Promise<GrowthCost[]> {
  const { ctx, scratch, say } = scene
  const client = new pg.Client(scratch.superuser)
  await client.connect()
  try {
    const { rows } = await client.query<{ id: string }>(
      'select id from assets where tenant_id = $1 order by hashtext(id::text) limit $2',
      [ctx.tenantId, MATCHED],
    )
    const open = async () =>
      Number(
        (
          await client.query<{ n: string }>(
            `select count(*) as n from findings where tenant_id = $1 and asset_id = any($2::uuid[]) and status = 'open'`,
            [ctx.tenantId, rows.map(({ id }) => id)],
          )
        ).rows[0]?.n,
      )
    const before = await open()
    await enqueueMatching(
      ctx,
      rows.map(({ id }) => id),
    )
    const cost = await perThing(scene, MATCHED, () => processMatchingQueue(ctx))
    const ended = before - (await open())
    say(`matching: ${cost.toFixed(2)} ms an asset, ${ended} of ${before} findings ended`)
    return [{ name: 'matching an asset, findings end', kind: 'write', unit: 'ms', cost }]
  } finally {
    await client.end()
  }
}

async function measureCompliance({ ctx, scratch, clock, say }: GrowthScene): Promise<GrowthCost[]> {
  const round = await costOf(clock, () => evaluateNow(ctx))
  const all = (round.database + round.program) * 1_000
  say(`compliance: first round ${all.toFixed(0)} ms`)
  const batches = await measureBatches(ctx, scratch, clock)
  const cost = (batches.databaseMs + batches.programMs) / COMPLIANCE_BATCH
  say(`compliance: ${cost.toFixed(3)} ms an asset that changed`)
  return [
    { name: 'compliance, first round of all checks', kind: 'whole', unit: 'ms', cost: all },
    { name: 'compliance of a changed asset', kind: 'write', unit: 'ms', cost },
  ]
}

async function perThing(
  { clock }: GrowthScene,
  things: number,
  work: () => Promise<unknown>,
): Promise<number> {
  const { database, program } = await costOf(clock, work)
  return ((database + program) * 1_000) / things
}
