import type { DiscoveryRun } from '../discovery.ts'
import type * as store from '../run-store.ts'

/** One attempt at a run. */
export interface Attempt {
  readonly run: DiscoveryRun
  /** Ends everything: the process stops, or the run was cancelled. */
  readonly signal: AbortSignal
  /** The window is over: nothing new is begun. */
  readonly pause: AbortSignal
  readonly progress: { -readonly [K in keyof store.Progress]: store.Progress[K] }
  /** Null until the sweep has begun. */
  sweepScanId: string | null
  /** The sweep is through. */
  isSwept: boolean
  /** Why the sweep ended early. */
  fault?: string
  readonly targetIdOf: (address: string) => string | null
}
