/** Demo data: the assets of a fictitious company, submitted through the intake as their sources would. */
import { Readable } from 'node:stream'
import { listFeeds, loadFeedFile, SAMPLE_PART } from '#features/advisories/advisories.ts'
import { record } from '#features/audit/audit.ts'
import { adoptFramework } from '#features/compliance/compliance.ts'
import { setDemoData, setDemoFilled } from '#features/tenancy/tenancy.ts'
import { submit } from '#features/sources/sources.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import type { SourcedObservation } from './generators/generator.ts'
import { deriveLinks } from '#features/topology/topology.ts'
import { generateObservations, type EstateOptions } from './estate.ts'
import { createDemoFlows, createDemoNotices } from './company-data/automation-data.ts'
import { createBudget } from './company-data/budget-data.ts'
import { createCustomData } from './company-data/custom-data.ts'
import { createDemoClouds, listDemoCosts, listDemoResources } from './company-data/cloud-data.ts'
import { createComplianceData, createSecurityRules } from './company-data/compliance-data.ts'
import { createDemoPartner } from './company-data/partner-data.ts'
import {
  assignDevices,
  createEntitlements,
  createPlaces,
  importPurchases,
} from './company-data/record-data.ts'
import { submitEarlierReports } from './vulnerabilities/earlier-reports.ts'
import { sampleAdvisories } from './vulnerabilities/sample-advisories.ts'
import { addOwnSoftware } from './own-software.ts'
import { sourceNames, sources, type SourceName } from './sources.ts'

export interface DemoOptions {
  readonly assets: number
  /** Seed of the random numbers: on the same day (UTC) the same seed gives the same observations. */
  readonly seed: number
}

export interface DemoResult extends DemoOptions {
  readonly observed: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
}

export const ASSETS_DEFAULT = 500
export const ASSETS_MAX = 1_000_000
export const SEED_DEFAULT = 1
const OBSERVATIONS_PER_BATCH = 1_000
/** Adopted, so that its controls are judged. */
const FRAMEWORK = 'nist-csf-2.0'

/**
 * Adds a company with this number of assets to the tenant. Batches are committed one by one; running it again changes
 * nothing. Refuses `assets` and `seed` out of range. Load the sample advisories first: findings have an age then.
 */
export async function createDemoData(ctx: Ctx, { assets, seed }: DemoOptions): Promise<DemoResult> {
  permit(ctx, 'assets:write')
  if (!Number.isInteger(assets) || assets < 1 || assets > ASSETS_MAX) {
    throw invalid('assets', `is not a whole number from 1 to ${ASSETS_MAX}`)
  }
  if (!Number.isSafeInteger(seed) || seed < 0) throw invalid('seed', 'is not a whole number from 0')
  await setDemoData(ctx)
  const estate = { size: assets, seed, now: ctx.now() }
  const totals = { ...(await submitEarlierReports(ctx, estate)), updated: 0, unchanged: 0 }
  await createPlaces(ctx, estate)
  await createEntitlements(ctx, estate)
  await createBudget(ctx)
  await createDemoPartner(ctx, assets)
  await createDemoNotices(ctx)
  const clouds = await createDemoClouds(ctx)
  for (const { by, batch } of batchesBySource(estate)) {
    const cloud = clouds.get(by)
    const done = await atomically(ctx, async (inner) => {
      const submitted = await submit(
        inner,
        cloud?.source ?? sources[by],
        batch.map(({ observation }) => observation),
      )
      if (cloud) await listDemoResources(inner, cloud, batch)
      await importPurchases(inner, sources[by], batch)
      return submitted
    })
    if (done.rejected[0]) throw new Error(`${by}: ${done.rejected[0].field} ${done.rejected[0].message}`)
    totals.observed += done.observed
    totals.created += done.created
    totals.updated += done.updated
    totals.unchanged += done.unchanged
  }
  for (const [by, cloud] of clouds) {
    const observed = [...batchesBySource(estate)].filter((it) => it.by === by)
    await listDemoCosts(
      ctx,
      cloud,
      observed.flatMap(({ batch }) => batch),
    )
  }
  await addOwnSoftware(ctx)
  await addDecisions(ctx)
  await atomically(ctx, async (ctx) => {
    await setDemoFilled(ctx)
    await record(ctx, 'demo.furnished', { type: 'tenant', id: ctx.tenantId }, { assets, seed })
  })
  return { assets, seed, ...totals }
}

/** What people of the company decide about its assets, once they are there. */
async function addDecisions(ctx: Ctx): Promise<void> {
  await createCustomData(ctx)
  await assignDevices(ctx)
  await createSecurityRules(ctx)
  await deriveLinks(ctx)
  await createDemoFlows(ctx)
  await adoptFramework(ctx, FRAMEWORK)
  await createComplianceData(ctx, FRAMEWORK)
}

/**
 * Loads sample advisories into feeds that have no records, so that the demo software has findings. Feeds with records
 * are left unchanged. Returns the number of records loaded.
 */
export async function loadSampleAdvisories(system: Ctx): Promise<number> {
  const empty = new Set((await listFeeds(system)).filter((it) => it.records === 0).map((it) => it.name))
  let records = 0
  for (const { feed, content } of sampleAdvisories().filter((it) => empty.has(it.feed))) {
    const file = { feed, name: 'demo', content: Readable.from([Buffer.from(content)]), part: SAMPLE_PART }
    records += (await loadFeedFile(system, file)).records
  }
  return records
}

interface Batch {
  readonly by: SourceName
  readonly batch: readonly SourcedObservation[]
}

/**
 * Collects a batch for each source; when one is full, all are yielded, so that all sources progress at the same pace.
 */
function* batchesBySource(estate: EstateOptions): Iterable<Batch> {
  let waiting = new Map<SourceName, SourcedObservation[]>()
  const all = function* (): Iterable<Batch> {
    for (const by of sourceNames) if (waiting.has(by)) yield { by, batch: waiting.get(by) ?? [] }
    waiting = new Map()
  }
  for (const sourced of generateObservations(estate)) {
    const { by } = sourced
    const batch = waiting.get(by) ?? []
    waiting.set(by, batch)
    if (batch.push(sourced) === OBSERVATIONS_PER_BATCH) yield* all()
  }
  yield* all()
}
