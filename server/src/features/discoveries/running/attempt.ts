import type { Governor } from '#features/scans/probes/governor/governor.ts'
import type { DiscoveryRun } from '../discovery.ts'
import type * as store from '../run-store.ts'
import type { LoginPace } from './login-pace.ts'

/** One attempt at a run. */
export interface Attempt {
  readonly run: DiscoveryRun
  /** Ends everything: the process stops, or the run was cancelled. */
  readonly signal: AbortSignal
  /** The window is over: nothing new is begun. */
  readonly pause: AbortSignal
  /** Where nothing more is asked; the sweep and the logins share it. */
  readonly governor: Governor
  readonly pace: LoginPace
  readonly progress: { -readonly [K in keyof store.Progress]: store.Progress[K] }
  /** Null until the sweep has begun. */
  sweepScanId: string | null
  /** At what pace the sweep goes; empty: at its own. */
  sweepSlowed: string
  /** The sweep is through. */
  isSwept: boolean
  /** Why the sweep ended early. */
  fault?: string
  readonly targetIdOf: (address: string) => string | null
}
