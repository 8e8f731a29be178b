import type { Access, Credential, CredentialKind } from '../credential-access.ts'
import { ProbeFailure } from '../probe.ts'
import type { HttpsLimits } from '../tls/https-client.ts'
import type { Seen } from './machine-observation.ts'

export interface HypervisorLimits extends HttpsLimits {
  /** Of the whole scan. */
  readonly totalMs: number
  /** Drivers of libvirt, in the order in which they are tried. */
  readonly uris: readonly string[]
}

export interface WayMeans {
  /** As the person wrote it. */
  readonly host: string
  readonly address: string
  readonly access: Access
  readonly signal: AbortSignal
  readonly limits: HypervisorLimits
  /** What the host said, as it said it, for the person who wants to read it. */
  readonly onRaw: (part: string, text: string) => void
}

/** A host that let us in. */
export interface Entry {
  readonly read: () => AsyncIterable<Seen>
  readonly close: () => Promise<void> | void
}

/** One way to ask a hypervisor. */
export interface Way {
  readonly title: string
  readonly kinds: readonly CredentialKind[]
  /** Where such services listen, when the credential does not say otherwise. */
  readonly port: number
  /**
   * Shows the credential. What came of it is told by the caller: `enter` answers an entry, or throws, `Refused` when
   * the host would not have the credential.
   */
  readonly enter: (credential: Credential, means: WayMeans) => Promise<Entry>
}

/** The host would not have the credential. */
export class Refused extends ProbeFailure {}

/** The credential was good, but what is to be read cannot be. */
export class LetInForNothing extends ProbeFailure {}
