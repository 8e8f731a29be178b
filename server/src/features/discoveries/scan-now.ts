import { DEFAULT_SCOPE, getAsset, matchingAssetIds, scopesOfAssets } from '#features/assets/assets.ts'
import { record } from '#features/audit/audit.ts'
import { coveringTargets, spanOfAddress, spansWithout, spanText, starterOf } from '#features/scans/scans.ts'
import type { Target } from '#features/scans/targets/target.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import { enqueue } from '#platform/jobs/job.ts'
import { newUuid } from '#platform/uuid.ts'
import { loginTypes, type DiscoveryRun } from './discovery.ts'
import * as runStore from './run-store.ts'
import { runDiscoveryJob } from './running/run-discovery.ts'

/** Exactly one of both. */
export interface AssetSelection {
  readonly assetIds?: readonly string[]
  /** A condition, as of GET /assets. */
  readonly where?: string
}

export interface ScanNowResult {
  readonly run: DiscoveryRun
  /** Assets that are left out, and why: they have no address, or no scan target names it. */
  readonly leftOut: readonly { readonly assetId: string; readonly why: string }[]
}

const ASSETS_MAX = 1_000
const HOSTS_AT_ONCE = 16

/**
 * Sweeps the addresses of assets and logs in to them, as a run without a discovery. Only what a scan target names is
 * touched: an address that a source merely reported is no permission to scan it.
 */
export async function scanNow(ctx: Ctx, selection: AssetSelection): Promise<ScanNowResult> {
  permit(ctx, 'scans:write')
  permit(ctx, 'assets:read')
  const ids = await idsOf(ctx, selection)
  return atomically(ctx, async (inner) => {
    const covering = await coveringTargets(inner)
    const scopesOf = await scopesOfAssets(inner, ids)
    const leftOut: { assetId: string; why: string }[] = []
    const spans = []
    const names: string[] = []
    let place: string | undefined
    for (const assetId of ids) {
      const { name, ipAddress } = await getAsset(inner, assetId)
      const span = spanOfAddress(ipAddress)
      if (!span) leftOut.push({ assetId, why: `${name} has no address` })
      const target = covering(ipAddress, scopesOf.get(assetId))
      if (span && !target) leftOut.push({ assetId, why: `no scan target names ${ipAddress} (${name})` })
      if (!span || !target) continue
      place ??= placeOf(target)
      if (place !== placeOf(target)) {
        leftOut.push({ assetId, why: `${name} is scanned from elsewhere than ${names[0]}: scan it apart` })
        continue
      }
      spans.push(span)
      names.push(name)
    }
    const [first] = leftOut
    if (spans.length === 0) throw invalid('assetIds', first?.why ?? 'no asset is selected')
    const run = await addRun(inner, {
      names,
      targetId: place || null,
      entries: spansWithout(spans).map(spanText),
    })
    return { run, leftOut }
  })
}

/** The target, where collectors scan it or it is of another network; empty where this server does. One run goes on in one place. */
const placeOf = ({ id, collectorIds, scope }: Target): string =>
  collectorIds.length > 0 || scope !== DEFAULT_SCOPE ? id : ''

interface Chosen {
  readonly names: readonly string[]
  /** The one that collectors scan or that is of another network; null: this server scans its own. */
  readonly targetId: string | null
  readonly entries: readonly string[]
}

async function addRun(ctx: Ctx, { names, targetId, entries }: Chosen): Promise<DiscoveryRun> {
  const [first = ''] = names
  const name = names.length === 1 ? first : `${first} and ${names.length - 1} more`
  const run = await runStore.addRun(ctx, {
    id: newUuid(ctx.now()),
    discoveryId: null,
    name,
    cause: 'scan_now',
    targetId,
    entries,
    exclusions: [],
    types: loginTypes,
    hostsAtOnce: HOSTS_AT_ONCE,
    zone: 'UTC',
    windows: [],
    startedBy: starterOf(ctx),
  })
  if (!run) throw new Error('a run without a discovery has no rival')
  await enqueue(ctx, runDiscoveryJob, { runId: run.id })
  const details = { name, cause: 'scan_now', assets: names.length }
  await record(ctx, 'discovery.started', { type: 'discovery_run', id: run.id }, details)
  return run
}

async function idsOf(ctx: Ctx, { assetIds, where }: AssetSelection): Promise<readonly string[]> {
  if ((assetIds === undefined) === (where === undefined))
    throw invalid('assetIds', 'give either assetIds or where')
  const field = where === undefined ? 'assetIds' : 'where'
  const ids =
    where === undefined
      ? [...new Set(assetIds)]
      : await matchingAssetIds(ctx, where, { limit: ASSETS_MAX + 1 })
  if (ids.length === 0) throw invalid(field, 'no asset is selected')
  if (ids.length > ASSETS_MAX)
    throw invalid(field, `more than ${ASSETS_MAX} assets: make a discovery of their networks instead`)
  return ids
}
