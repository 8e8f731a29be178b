import { vulnerabilityFacts } from '#features/advisories/advisories.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import * as dueStore from './due-store.ts'
import * as matchStore from './match-store.ts'
import { isDead, rate } from './rated.ts'
import * as riskStore from './risk-store.ts'
import * as settleStore from './settle-store.ts'
import { rescoreAssets, resettle } from './sync.ts'

/** What became of the facts of CVEs that the tenant knows: scores, likelihoods, rejections. */

const CVES_AT_ONCE = 500
const FINDINGS_AT_ONCE = 5_000
const ASSETS_AT_ONCE = 2_000
/** Beyond so many CVEs most of the assets are concerned. */
const RESCORED_BY_CVE_MAX = 200
const NONE = ''
const LEAST_ID = '00000000-0000-0000-0000-000000000000'

export async function refreshFacts(ctx: Ctx, cveIds: readonly string[] | 'all'): Promise<void> {
  const reweighed: string[] = []
  for (let after = NONE, isMore = true; isMore;) {
    const known = await matchStore.knownAmong(ctx, cveIds, { after, limit: CVES_AT_ONCE })
    if (known.length > 0) reweighed.push(...(await refresh(ctx, known)))
    after = known.at(-1) ?? after
    isMore = known.length === CVES_AT_ONCE
  }
  if (reweighed.length > RESCORED_BY_CVE_MAX) return rescoreAll(ctx)
  await eachFinding(ctx, reweighed, (inner, them) =>
    rescoreAssets(inner, [...new Set(them.map(({ assetId }) => assetId))]),
  )
}

/** A new likelihood for most of the CVEs, as every night brings: each asset once. */
async function rescoreAll(ctx: Ctx): Promise<void> {
  for (let after = LEAST_ID, isMore = true; isMore;) {
    const ids = await riskStore.scoredAssets(ctx, after, ASSETS_AT_ONCE)
    await atomically(ctx, async (inner) => {
      await settleStore.lockTenant(inner)
      await rescoreAssets(inner, ids)
    })
    after = ids.at(-1) ?? after
    isMore = ids.length === ASSETS_AT_ONCE
  }
}

/** Answers those that weigh otherwise. */
async function refresh(ctx: Ctx, cveIds: readonly string[]): Promise<string[]> {
  const facts = [...(await vulnerabilityFacts(ctx, cveIds)).values()]
  const dead = facts.filter(isDead).map(({ id }) => id)
  const changed = await atomically(ctx, async (inner) => {
    await settleStore.lockTenant(inner)
    const ended = dead.length > 0 ? await matchStore.endMatchesOf(inner, dead) : []
    if (ended.length > 0) await dueStore.markHolders(inner, ended)
    return matchStore.writeFacts(inner, facts.filter((it) => !isDead(it)).map(rate))
  })
  const rerated = changed.filter(({ isRerated }) => isRerated).map(({ cveId }) => cveId)
  await eachFinding(ctx, rerated, (inner, them) =>
    resettle(
      inner,
      them.map(({ id }) => id),
      'the score was published anew',
    ),
  )
  return changed.map(({ cveId }) => cveId)
}

async function eachFinding(
  ctx: Ctx,
  cveIds: readonly string[],
  work: (inner: Ctx, them: readonly { readonly id: string; readonly assetId: string }[]) => Promise<unknown>,
): Promise<void> {
  if (cveIds.length === 0) return
  for (let after = LEAST_ID; ;) {
    const them = await matchStore.findingsOf(ctx, cveIds, { after, limit: FINDINGS_AT_ONCE })
    const last = them.at(-1)
    if (!last) return
    await atomically(ctx, async (inner) => {
      await settleStore.lockTenant(inner)
      await work(inner, them)
    })
    after = last.id
  }
}
