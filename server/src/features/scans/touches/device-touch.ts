import type { ScanType } from '../scan-status.ts'

/** Why a scan was run: `scan` is one that somebody started by itself, the others are causes of a run of a discovery. */
export const touchCauses = ['scan', 'manual', 'schedule', 'scan_now'] as const
export type TouchCause = (typeof touchCauses)[number]

/** The run of a discovery that a scan belongs to. */
export interface RunOfScan {
  readonly id: string
  readonly name: string
  readonly cause: Exclude<TouchCause, 'scan'>
}

/** What one scan did to one device. */
export interface DeviceTouch {
  readonly scanId: string
  readonly scanType: ScanType
  readonly address: string
  readonly assetId: string | null
  readonly beganAt: string
  /** Between the first packet and the last, over all attempts of the scan. */
  readonly seconds: number
  /** IP packets that were sent to it; address resolution is not among them. */
  readonly packets: number
  /** Connections that were tried, and questions without a connection. */
  readonly probes: number
  /** Logins with a credential that was shown to it. */
  readonly logins: number
  /** The kernel did not tell the packets of some connection; they were worked out from its octets. */
  readonly isEstimated: boolean
  readonly cause: TouchCause
  /** Null: not part of a discovery. */
  readonly run: RunOfScan | null
  /** The name of the person, key or command that started it; of a schedule, of the system. */
  readonly startedBy: string
}
