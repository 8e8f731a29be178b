import type { Credential, CredentialKind, Outcome } from '#features/credentials/credential.ts'
import type { HostKey, HostKeyVerdict } from '#features/credentials/host-keys/host-key.ts'
import type { TouchCounter } from './touches/touch-counter.ts'

export type {
  Credential,
  CredentialKind,
  Outcome,
  ProxmoxToken,
  SnmpCommunity,
  SnmpUser,
  SshKey,
  SshPassword,
  TlsClient,
  VSphere,
  WinRm,
} from '#features/credentials/credential.ts'
export type { HostKey, HostKeyVerdict } from '#features/credentials/host-keys/host-key.ts'

/**
 * How a probe is let in. It never learns which tenant a credential belongs to, and shows one only to the address it
 * asked for: credentials are bound to networks, so that a rogue host cannot harvest them.
 */
export interface Access {
  /**
   * Credentials of these kinds that may be shown to this address, the one that worked there last first. At most two
   * for a host and scan, none while the account's breaker is open.
   */
  readonly credentialsFor: (
    address: string,
    kinds: readonly CredentialKind[],
  ) => Promise<readonly Credential[]>
  /** Records the outcome of a login. Required for every credential handed out, also `unanswered`: for audit log and breaker. */
  readonly recordOutcome: (
    credential: Pick<Credential, 'id' | 'name'>,
    address: string,
    outcome: Outcome,
  ) => Promise<void>
  /**
   * Judges the host's key (of SSH, or the certificate's of TLS) before `credential` is sent. On `changed`, `unknown`
   * and `refused` the probe sends nothing and ends with a `ProbeFailure` that says so.
   */
  readonly knowHostKey: (host: HostKey, credential: Pick<Credential, 'id'>) => Promise<HostKeyVerdict>
  /**
   * The algorithms of the keys that are pinned for this port, to be negotiated before others: a key of another
   * algorithm than those is `changed`.
   */
  readonly knownAlgorithms?: (address: string, port: number) => Promise<readonly string[]>
  /** What is sent to the host is counted here. */
  readonly touches?: TouchCounter
}
