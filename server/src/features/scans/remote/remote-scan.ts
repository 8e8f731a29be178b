import type { CredentialKind, HostKey, Outcome } from '../probes/credential-access.ts'
import type { Stop } from '../probes/governor/governor.ts'
import type { IndustrialRead } from '../probes/sweep/industrial/industrial-reads.ts'
import type { ProbeTarget, Progress, RawAnswer } from '../probes/probe.ts'
import type { Touch } from '../probes/touches/touch-counter.ts'
import type { ScanType } from '../scan-status.ts'

/** What a collector is told to do. */
export interface RemoteScan {
  readonly type: ScanType
  readonly target: ProbeTarget
  /** Of a sweep that goes on, as `ProbeOptions` has it. */
  readonly settled?: number
  /** Live addresses that an earlier attempt has told of. */
  readonly known?: readonly string[]
  /** Where nothing is asked because it did harm. Devices that merely left are known, and not asked again anyway. */
  readonly stops?: readonly Stop[]
  /** As `ProbeOptions` has it. */
  readonly industrialReads?: readonly IndustrialRead[]
}

/** What a collector says while it scans. Those that ask are answered, each by its number. */
export type RemoteMessage =
  | { readonly kind: 'observations'; readonly observations: readonly unknown[] }
  | { readonly kind: 'raw'; readonly raw: RawAnswer }
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'touches'; readonly touches: readonly RemoteTouch[] }
  | AccessQuestion
  | RemoteEnd

/** What was sent to a device; times are RFC 3339. */
export type RemoteTouch = Omit<Touch, 'beganAt'> & { readonly beganAt: string }

export type AccessQuestion =
  | {
      readonly kind: 'credentials_for'
      readonly address: string
      readonly kinds: readonly CredentialKind[]
    }
  | {
      readonly kind: 'record_outcome'
      readonly credentialId: string
      readonly address: string
      readonly outcome: Outcome
    }
  | { readonly kind: 'know_host_key'; readonly host: HostKey; readonly credentialId: string }
  | { readonly kind: 'known_algorithms'; readonly address: string; readonly port: number }

/** The last message. `failure`: why nothing came of it; `isFinal` when another attempt could do no better. */
export interface RemoteEnd {
  readonly kind: 'end'
  readonly failure?: { readonly message: string; readonly isFinal: boolean }
}
