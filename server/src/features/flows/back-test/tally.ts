import type { Definition } from '../flow.ts'
import { guardAgainst, noRuns, noteStart, type RecentRuns } from '../triggers/guards.ts'
import type { BackTestRun } from './back-test.ts'

const SAMPLE_MAX = 1_000

/** What would have happened, as far as it has been looked at. */
export interface Tally {
  runs: number
  readonly skipped: Map<string, number>
  readonly assets: Set<string>
  readonly sample: Omit<BackTestRun, 'assetName'>[]
  readonly recent: RecentRuns
}

export const newTally = (): Tally => ({
  runs: 0,
  skipped: new Map(),
  assets: new Set(),
  sample: [],
  recent: noRuns(),
})

/** Counts a run that would have begun, or the guard that would have skipped it. Runs come in the order of their times. */
export function tallyRun(
  tally: Tally,
  { id, definition }: { readonly id: string; readonly definition: Definition },
  run: Omit<BackTestRun, 'assetName'>,
): void {
  const { recent } = tally
  const { assetId } = run
  // what runs is taken to have ended before the next one
  recent.underWay = 0
  recent.assetsUnderWay.clear()
  const atMs = Date.parse(run.at)
  const past = { flowId: id, assetId, cause: definition.trigger.kind, chain: [], definition }
  const [guard] = guardAgainst(past, recent, atMs)?.split(':') ?? []
  if (guard !== undefined) {
    tally.skipped.set(guard, (tally.skipped.get(guard) ?? 0) + 1)
    return
  }
  noteStart({ assetId }, recent, atMs)
  tally.runs += 1
  if (assetId !== null) tally.assets.add(assetId)
  if (tally.sample.length < SAMPLE_MAX) tally.sample.push(run)
}
