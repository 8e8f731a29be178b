import { getAsset } from '#features/assets/assets.ts'
import { permit, type Ctx } from '#platform/context.ts'
import { adoptions } from '../adoption-store.ts'
import { allChecks } from '../checks/all-checks.ts'
import { askedFacts, type AskedFact } from '../checks/asked-facts.ts'
import { byUrgency, type Check, type CheckSeverity } from '../checks/check.ts'
import { resultsOfAsset, type AssetResult } from './asset-checks-store.ts'

/** A check that does not find an asset in order. */
export interface AssetCheck extends AssetResult {
  readonly title: string
  readonly severity: CheckSeverity
  /** What to do about it. */
  readonly next: string
  /** Controls of adopted frameworks that it counts for. */
  readonly controls: readonly { readonly framework: string; readonly controlId: string }[]
  /** Of what is unknown, the facts that the check asks for. */
  readonly asks: readonly AskedFact[]
}

/** What fails first, then what is unknown; each by severity. 404 for an unknown asset. */
export async function listChecksOfAsset(ctx: Ctx, assetId: string): Promise<AssetCheck[]> {
  permit(ctx, 'compliance:read')
  const { id } = await getAsset(ctx, assetId)
  const checks = new Map((await allChecks(ctx)).map((check) => [check.id, check]))
  const adopted = (await adoptions(ctx)).map(({ framework }) => framework)
  const subject = await ctx.conditions.on(ctx, 'asset')
  const found = (await resultsOfAsset(ctx, id)).flatMap((result) => {
    const check = checks.get(result.checkId)
    return check ? [{ check, result }] : []
  })
  const rank = ({ result }: (typeof found)[number]) => (result.outcome === 'failed' ? 0 : 1)
  return found
    .toSorted((a, b) => rank(a) - rank(b) || byUrgency(a.check, b.check))
    .map(({ check, result }) => ({
      ...result,
      title: check.title,
      severity: check.severity,
      next: check.next,
      controls: controlsOf(check, adopted),
      asks: result.outcome === 'unknown' ? askedFacts(subject, check) : [],
    }))
}

const controlsOf = ({ controls }: Check, adopted: readonly string[]): AssetCheck['controls'] =>
  adopted.flatMap((framework) => (controls[framework] ?? []).map((controlId) => ({ framework, controlId })))
