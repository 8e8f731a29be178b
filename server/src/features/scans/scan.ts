import type { Progress } from './probes/probe.ts'
import type { ScanStatus, ScanType } from './scan-status.ts'
import type { Target } from './targets/target.ts'

export interface Scan {
  readonly id: string
  readonly type: ScanType
  readonly status: ScanStatus
  /** For people: how far it is, what it found, or why it failed. */
  readonly message: string
  readonly targetKind: Target['kind']
  readonly targetAddress: string
  /** Hosts that were taken into the inventory. */
  readonly assetCount: number
  /** Null until it has looked at something. */
  readonly progress: Progress | null
  readonly createdAt: string
  readonly startedAt: string | null
  readonly finishedAt: string | null
}
