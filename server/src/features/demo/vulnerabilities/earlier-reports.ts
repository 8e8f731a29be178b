import { assetsOfKeys, BATCH_MAX, submit } from '#features/sources/sources.ts'
import { enqueueMatching, processMatchingQueue } from '#features/vulnerabilities/vulnerabilities.ts'
import { batchesOf } from '#platform/batches.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { generateObservations, type EstateOptions } from '../estate.ts'
import type { SourcedObservation } from '../generators/generator.ts'
import { seededRandom } from '../seeded-random.ts'
import { sources } from '../sources.ts'

/** How long ago agents reported for the first time, each a part of them; the others report today. */
const DAYS_AGO = [400, 120, 45] as const
const EARLIER_PERCENT = 60
/** Enough for any list; of a large estate the rest is new. */
const AGENTS_MAX = 300
const DAY_MS = 86_400_000

export interface EarlierReports {
  readonly observed: number
  readonly created: number
}

/**
 * Submits what some agents reported on earlier days, and matches it as of these days, so that findings have an age.
 * Agents that have reported already are left out.
 */
export async function submitEarlierReports(ctx: Ctx, estate: EstateOptions): Promise<EarlierReports> {
  const totals = { observed: 0, created: 0 }
  for (const [part, days] of DAYS_AGO.entries()) {
    const now = new Date(estate.now.getTime() - days * DAY_MS)
    const reports = [...earlierReports({ ...estate, now }, part)]
    const known = await assetsOfKeys(
      ctx,
      sources.agents,
      reports.map(({ observation }) => observation.sourceKey),
    )
    const news = reports.filter(({ observation }) => !known.has(observation.sourceKey))
    for (const batch of batchesOf(news, BATCH_MAX)) {
      const done = await atomically({ ...ctx, now: () => now }, (inner) => submitAndMatch(inner, batch))
      totals.observed += done.observed
      totals.created += done.created
    }
  }
  return totals
}

/** In one transaction, so that no worker matches it as of today. */
async function submitAndMatch(ctx: Ctx, batch: readonly SourcedObservation[]): Promise<EarlierReports> {
  const observations = batch.map(({ observation }) => observation)
  const done = await submit(ctx, sources.agents, observations)
  const keys = observations.map(({ sourceKey }) => sourceKey)
  const assets = await assetsOfKeys(ctx, sources.agents, keys)
  await enqueueMatching(ctx, [...new Set(assets.values())])
  await processMatchingQueue(ctx)
  return done
}

function* earlierReports(estate: EstateOptions, part: number): Iterable<SourcedObservation> {
  let agents = 0
  for (const sourced of generateObservations(estate)) {
    const { by, observation } = sourced
    if (by !== 'agents' || !observation.software) continue
    if (++agents > AGENTS_MAX) return
    const random = seededRandom(estate.seed, 'earlier', observation.sourceKey)
    if (random.percent(EARLIER_PERCENT) && random.below(DAYS_AGO.length) === part) yield sourced
  }
}
