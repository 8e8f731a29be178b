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
  /** Receives the raw output of the host, part by part. */
  readonly onRaw: (part: string, text: string) => void
}

/** An authenticated session with a hypervisor. */
export interface HypervisorSession {
  readonly read: () => AsyncIterable<PlatformObject>
  readonly close: () => Promise<void> | void
}

/** A protocol by which a hypervisor is read: Proxmox VE API, libvirt over TLS or SSH, WS-Management. */
export interface AccessMethod {
  readonly title: string
  readonly kinds: readonly CredentialKind[]
  /** Where such services listen, when the credential does not say otherwise. */
  readonly port: number
  /**
   * Logs in with the credential; the caller records the outcome. Throws `CredentialRefused` when the host refuses the
   * credential.
   */
  readonly logIn: (credential: Credential, means: AccessContext) => Promise<HypervisorSession>
}

/** The host refused the credential. */
export class CredentialRefused extends ProbeFailure {}

/** The login succeeded, but the account may not read the inventory. */
export class InsufficientAccess extends ProbeFailure {}
