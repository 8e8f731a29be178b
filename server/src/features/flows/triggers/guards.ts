import type { Definition } from '../flow.ts'

/** Guards decide whether a run that was asked for may begin: live, and when history is tried against a definition. */

/** Flows that start each other: the sixth in a row does not run. */
const CHAIN_MAX = 5
const MINUTE_MS = 60_000

export interface GuardedRun {
  readonly flowId: string
  readonly assetId: string | null
  /** An event type, `schedule`, `manual`, `webhook` or `query`. */
  readonly cause: string
  /** The flows that led here. */
  readonly chain: readonly string[]
  readonly definition: Pick<Definition, 'coolDownMinutes' | 'runsPerMinute' | 'concurrency'>
}

/** What a flow has done lately. Times are milliseconds since 1970. */
export interface RecentRuns {
  /** When runs began, of the last minute. */
  startedAt: number[]
  underWay: number
  readonly assetsUnderWay: Set<string>
  readonly lastOfAsset: Map<string, number>
}

export const noRuns = (): RecentRuns => ({
  startedAt: [],
  underWay: 0,
  assetsUnderWay: new Set(),
  lastOfAsset: new Map(),
})

/** The name of the guard that keeps the run from starting, and why; undefined: none does. */
export function guardAgainst(run: GuardedRun, recent: RecentRuns, at: number): string | undefined {
  const { chain, flowId, assetId, definition, cause } = run
  const { concurrency = 'none', coolDownMinutes, runsPerMinute } = definition
  if (chain.includes(flowId)) return 'loop: the flow stands among those that led here'
  if (chain.length >= CHAIN_MAX) return `chain: ${CHAIN_MAX} flows led here`
  if (concurrency === 'flow' && recent.underWay > 0)
    return 'concurrency: another run of the flow is under way'
  if (concurrency === 'asset' && assetId !== null && recent.assetsUnderWay.has(assetId))
    return 'concurrency: another run for the asset is under way'
  recent.startedAt = recent.startedAt.filter((time) => time > at - MINUTE_MS)
  // who starts a flow for 1,000 assets wants 1,000 runs
  if (cause !== 'manual' && recent.startedAt.length >= runsPerMinute)
    return `rate: more than ${runsPerMinute} runs a minute`
  const last = assetId === null ? undefined : recent.lastOfAsset.get(assetId)
  return coolDownMinutes > 0 && last !== undefined && last > at - coolDownMinutes * MINUTE_MS
    ? `cool-down: it ran for this asset within ${coolDownMinutes} minutes`
    : undefined
}

/** Counts a run that begins. */
export function noteStart({ assetId }: Pick<GuardedRun, 'assetId'>, recent: RecentRuns, at: number): void {
  recent.startedAt.push(at)
  recent.underWay += 1
  if (assetId === null) return
  recent.assetsUnderWay.add(assetId)
  recent.lastOfAsset.set(assetId, at)
}
