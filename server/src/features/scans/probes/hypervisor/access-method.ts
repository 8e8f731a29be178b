import type { Access, Credential, CredentialKind } from '../credential-access.ts'
import { ProbeFailure } from '../probe.ts'
import type { HttpsLimits } from '../tls/https-client.ts'
import type { PlatformObject } from './machine-observation.ts'

export interface HypervisorLimits extends HttpsLimits {
  /** Of the whole scan. */
  readonly totalMs: number
  /** Drivers of libvirt, in the order in which they are tried. */
  readonly uris: readonly string[]
}

export interface AccessContext {
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
export interface HypervisorSession {
  readonly read: () => AsyncIterable<PlatformObject>
  readonly close: () => Promise<void> | void
}

/** One way to ask a hypervisor. */
export interface AccessMethod {
  readonly title: string
  readonly kinds: readonly CredentialKind[]
  /** Where such services listen, when the credential does not say otherwise. */
  readonly port: number
  /**
   * Shows the credential. What came of it is told by the caller: `enter` answers an entry, or throws, `Refused` when
   * the host would not have the credential.
   */
  readonly logIn: (credential: Credential, means: AccessContext) => Promise<HypervisorSession>
}

/** The host would not have the credential. */
export class CredentialRefused extends ProbeFailure {}

/** The credential was good, but what is to be read cannot be. */
export class InsufficientAccess extends ProbeFailure {}
