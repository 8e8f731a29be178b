/** Advisories: vulnerability data of public feeds, stored as one catalogue for the whole installation. */
import { batchesOf } from '#platform/batches.ts'
import type { Ctx } from '#platform/context.ts'
import type { Lifecycle } from './advisory.ts'
import type { PackageKey, PackageRules } from './catalogue/package-rules.ts'
import { factsFrom, type VulnerabilityFacts } from './catalogue/vulnerability-facts.ts'
import * as store from './catalogue/catalogue-store.ts'

export { forgetSamples } from './loading/forget-samples.ts'
export { SAMPLE_PART } from './feeds/feeds-store.ts'
export { feedsReadAt, listFeeds, loadFeedFile } from './feeds/feeds.ts'

export type { PackageKey, PackageRules } from './catalogue/package-rules.ts'
export type { VulnerabilityFacts } from './catalogue/vulnerability-facts.ts'

/** Changes of the catalogue between two generations. */
export interface Changes {
  /** The generation up to which changes are listed; pass it as `after` the next time. */
  readonly generation: number
  /** Packages whose rules changed; `all` when there are too many to list. */
  readonly packages: readonly PackageKey[] | 'all'
  /** Vulnerabilities whose facts changed: score, state, EPSS and so on. */
  readonly cveIds: readonly string[] | 'all'
}

/** Limit of listed changes; more are `all`. */
const CHANGES_MAX = 50_000
/** Keys in one query. */
const BATCH = 1_000

/** What changed after `generation`; 0 for everything. Needs no permission: the catalogue is public data. */
export async function changesSince(ctx: Ctx, after: number): Promise<Changes> {
  const { generation, forgotten } = await store.generation(ctx)
  if (after === generation) return { generation, packages: [], cveIds: [] }
  // A generation greater than the present one is of another database: a backup was restored.
  if (after < forgotten || after === 0 || after > generation)
    return { generation, packages: 'all', cveIds: 'all' }
  const span = { after, until: generation }
  const changed = await store.changesBetween(ctx, span, CHANGES_MAX + 1)
  const epssScores = await store.epssChangesBetween(ctx, span, CHANGES_MAX + 1)
  const named = changed.filter((it) => it.ecosystem === '').map((it) => it.package)
  const cveIds = [...new Set([...named, ...epssScores])]
  const isTooMuch = changed.length > CHANGES_MAX
  return {
    generation,
    packages: isTooMuch ? 'all' : changed.filter((it) => it.ecosystem !== ''),
    cveIds: isTooMuch || cveIds.length > CHANGES_MAX ? 'all' : cveIds,
  }
}

/** All rules for the packages, in the order of ecosystem and package. Ask for some thousand at a time. */
export async function rulesFor(ctx: Ctx, keys: readonly PackageKey[]): Promise<readonly PackageRules[]> {
  const found: PackageRules[] = []
  for (const part of batchesOf(keys, BATCH)) found.push(...(await store.rulesOf(ctx, part)))
  return withCveIds(ctx, found)
}

/** Facts by id, for every id that was asked for: CVE ids, or ids of advisories that have none. */
export async function vulnerabilityFacts(
  ctx: Ctx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, VulnerabilityFacts>> {
  const facts = new Map<string, VulnerabilityFacts>()
  for (const part of batchesOf([...new Set(ids)], BATCH))
    for (const it of await factsOf(ctx, part)) facts.set(it.id, it)
  return facts
}

/** Every product whose releases have an end, by name. */
export const listLifecycles = (ctx: Ctx): Promise<readonly Lifecycle[]> => store.lifecycles(ctx)

async function factsOf(ctx: Ctx, ids: readonly string[]): Promise<readonly VulnerabilityFacts[]> {
  const records = await store.recordsNamed(ctx, ids)
  const byName = Map.groupBy(records, (it) => it.name)
  const exploited = new Map((await store.kevEntriesOf(ctx, ids)).map((it) => [it.cveId, it]))
  const epssScores = new Map((await store.epssScoresOf(ctx, ids)).map((it) => [it.cveId, it]))
  return ids.map((id) => {
    const known = exploited.get(id)
    const likelihood = epssScores.get(id)
    return factsFrom(id, byName.get(id) ?? [], {
      ...(known && { exploited: known }),
      ...(likelihood && { likelihood }),
    })
  })
}

/** Resolves CVE ids through aliases: PYSEC-… may name only GHSA-…, and that the CVE id. */
async function withCveIds(ctx: Ctx, found: readonly PackageRules[]): Promise<readonly PackageRules[]> {
  const nameless = [...new Set(found.filter((it) => it.cveIds.length === 0).map((it) => it.advisoryId))]
  if (nameless.length === 0) return found
  const known = new Map((await store.cveIdsOf(ctx, nameless)).map((it) => [it.name, it.cveIds]))
  return found.map((it) => (it.cveIds.length > 0 ? it : { ...it, cveIds: known.get(it.advisoryId) ?? [] }))
}
