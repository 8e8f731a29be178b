import type { Stop } from '#features/scans/probes/governor/governor.ts'
import type { ScanType } from '#features/scans/scan-status.ts'
import type { Window } from './scheduling/windows.ts'

/** The kinds of scans that log in, in the order in which they are tried on a host. */
export const loginTypes = [
  'ssh',
  'wmi',
  'snmp',
  'vmware',
  'hypervisor',
] as const satisfies readonly ScanType[]
export type LoginType = (typeof loginTypes)[number]

/** `waiting`: for the hours in which it may touch the network. */
export const runStatuses = ['pending', 'running', 'waiting', 'completed', 'failed', 'cancelled'] as const
export type RunStatus = (typeof runStatuses)[number]

export const runCauses = ['manual', 'schedule', 'scan_now'] as const
export type RunCause = (typeof runCauses)[number]

/** Of a host as a whole: the best of its logins. `not_asked`: nothing was shown to it, and `why` says the reason. */
export const hostOutcomes = ['logged_in', 'refused', 'unanswered', 'not_asked'] as const
export type HostOutcome = (typeof hostOutcomes)[number]

export const hostChanges = ['new', 'changed', 'unchanged', 'gone'] as const
export type HostChange = (typeof hostChanges)[number]

export interface Discovery {
  readonly id: string
  readonly name: string
  readonly targetId: string
  readonly targetName: string
  readonly targetAddress: string
  readonly types: readonly LoginType[]
  /** Hosts that are logged in to at the same time. */
  readonly hostsAtOnce: number
  /** Null: it runs only when somebody starts it. */
  readonly cron: string | null
  /** IANA; also of the windows. */
  readonly zone: string
  /** Empty: at any time. */
  readonly windows: readonly Window[]
  readonly isEnabled: boolean
  readonly nextAt: string | null
  /** Why the last time that was due did not become a run; empty when it did. */
  readonly skipped: string
  readonly createdAt: string
}

export interface DiscoveryRun {
  readonly id: string
  /** Null: of "scan now", or the discovery is gone. */
  readonly discoveryId: string | null
  readonly name: string
  readonly cause: RunCause
  readonly targetId: string | null
  readonly entries: readonly string[]
  readonly exclusions: readonly string[]
  readonly types: readonly LoginType[]
  readonly hostsAtOnce: number
  readonly zone: string
  readonly windows: readonly Window[]
  readonly startedBy: unknown
  readonly status: RunStatus
  readonly message: string
  readonly attempt: number
  readonly sweepScanId: string | null
  readonly addressesTotal: number
  /** Swept, alive or not. */
  readonly addressesDone: number
  readonly addressesSettled: number
  /** Networks that the machine of the sweep had no route to: nothing is known of what lives there. */
  readonly unreachable: readonly string[]
  /** Where the run asks no more, because it did harm. */
  readonly stops: readonly Stop[]
  /** At what pace it goes or went, and why; empty: never slowed. */
  readonly slowed: string
  readonly hostsFound: number
  readonly hostsDone: number
  readonly loggedIn: number
  readonly refused: number
  readonly unanswered: number
  readonly notAsked: number
  readonly comparedRunId: string | null
  readonly newHosts: number | null
  readonly changedHosts: number | null
  readonly goneHosts: number | null
  readonly waitsUntil: string | null
  readonly createdAt: string
  readonly startedAt: string | null
  readonly finishedAt: string | null
}

/** How far a run is, 0 to 1: addresses that need nothing any more. It never falls. */
export function shareOf(run: DiscoveryRun): number {
  if (run.status === 'completed') return 1
  if (run.addressesTotal === 0) return 0
  const done = run.addressesDone - run.hostsFound + run.hostsDone
  return Math.max(0, Math.min(1, done / run.addressesTotal))
}

export const isOver = ({ status }: Pick<DiscoveryRun, 'status'>): boolean =>
  status === 'completed' || status === 'failed' || status === 'cancelled'

/** One kind of login at one host. */
export interface Login {
  readonly type: LoginType
  /** Absent: it was not asked. */
  readonly scanId?: string
  /** Absent while it is under way. */
  readonly outcome?: HostOutcome
  /** Why not, or what the scan said. */
  readonly message: string
}

/** What the sweep says about which logins make sense. */
export interface Hints {
  readonly ports: readonly number[]
  readonly hasSnmp: boolean
  readonly isVmware: boolean
  readonly isHypervisor: boolean
}

/** What is compared with the run before. */
export interface Seen {
  readonly name?: string
  readonly os?: string
  readonly vendor?: string
  readonly model?: string
  readonly ports?: readonly number[]
}

export interface DiscoveryHost {
  readonly address: string
  readonly name: string
  readonly state: 'found' | 'asking' | 'done'
  readonly outcome: HostOutcome | null
  readonly why: string
  readonly hints: Hints
  readonly logins: readonly Login[]
  readonly seen: Seen
  readonly sourceKey: string
  readonly assetId: string | null
  /** Null while the run is not completed, and without one before it. */
  readonly change: HostChange | null
  readonly changedFields: readonly string[]
  readonly foundAt: string
  readonly doneAt: string | null
}
