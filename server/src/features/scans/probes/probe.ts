import type { Observation } from '#features/assets/observation.ts'
import type { Access } from './credential-access.ts'
import type { TouchCounter } from './touches/touch-counter.ts'
import type { Governor, Stop } from './governor/governor.ts'
import type { IndustrialRead } from './sweep/industrial/industrial-reads.ts'
import type { ScanType } from '../scan-status.ts'

/** What a probe may be pointed at, as stored: the network in canonical form, or an address or host name. */
export type ProbeTarget =
  | { readonly kind: 'cidr'; readonly cidr: string }
  | {
      /** Several networks, ranges, addresses and host names. */
      readonly kind: 'range'
      readonly entries: readonly string[]
      readonly exclusions: readonly string[]
    }
  | {
      readonly kind: 'host'
      readonly host: string
      /** The name that `host` is the address of, where the target is a name; looked up once for the whole scan. */
      readonly name?: string
    }

export interface Progress {
  /** Addresses that are finished, alive or not. */
  readonly done: number
  readonly total: number
  /** Live ones among them. */
  readonly found: number
  /** Addresses a second, over the last seconds. */
  readonly ratePerSecond: number
  readonly remainingSeconds: number
  /** Of a sweep with `isKnown`: so many addresses from the first on are finished and known; another attempt begins there. */
  readonly settled?: number
  /**
   * Networks of 256 addresses of which a sample was asked and the others are not yet: that nothing answered there says
   * nothing. Absent: none.
   */
  readonly sampledOnly?: number
  /** Networks that this machine has no route to; their addresses count as finished. Absent: none. */
  readonly unreachable?: readonly string[]
  /** Where nothing more is asked. Absent: nowhere. */
  readonly stops?: readonly Stop[]
  /** At what pace the sweep goes or went, and why, when it is not its own. */
  readonly slowed?: string
}

/** One part of what a host said. */
export interface RawAnswer {
  readonly address: string
  /** What it is the answer to: a command, a table, a request. */
  readonly part: string
  readonly text: string
}

export interface ProbeOptions {
  /** Aborting ends the probe within a second; what was yielded before stays valid. */
  readonly signal: AbortSignal
  readonly now: () => Date
  /** Called often; the caller decides how much of it is stored. */
  readonly onProgress?: (progress: Progress) => void
  /** Credentials and known host keys; absent for sweeps, which need none. */
  readonly access?: Access
  /** What a sweep sends to each live host is counted here; what logins send, in `access.touches`. */
  readonly touches?: TouchCounter
  /** What a host said, as it said it: for the person who wants to read it. Known secrets are taken out of it. */
  readonly onRaw?: (answer: RawAnswer) => void
  /** Of a sweep that goes on: as an earlier attempt reported it. */
  readonly settled?: number
  /** Of a sweep that goes on: live addresses that were found and written; they are not asked again. */
  readonly isKnown?: (address: string) => boolean
  /** Of a sweep: knows where nothing more is asked; absent: one of its own. */
  readonly governor?: Governor
  /** Of a sweep: protocols of machines and buildings in which devices are asked who they are; absent: none. */
  readonly industrialReads?: readonly IndustrialRead[]
  /** Name servers to ask, as `address` or `address:port`; absent: those of the system. */
  readonly dnsServers?: readonly string[]
}

/**
 * A way to look at the network. A probe knows no database and no tenant: it turns packets into observations,
 * so it can run in a remote collector unchanged. A failure that a person can act on is thrown as `ProbeFailure`.
 */
export interface Probe {
  readonly type: ScanType
  /** What its findings are called as a data source. */
  readonly title: string
  /** `true`, or the reason why this probe cannot scan the target. */
  readonly accepts: (target: ProbeTarget) => true | string
  readonly run: (target: ProbeTarget, options: ProbeOptions) => AsyncIterable<Observation>
}

/** Why a probe could not do its work at all, with a hint, in words for the person who started it. */
export class ProbeFailure extends Error {
  override readonly name = 'ProbeFailure'
}
