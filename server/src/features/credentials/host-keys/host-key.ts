/**
 * The verdict on a host key. `new`: the host was unknown, and the key is trusted on first use. `same`: it is the known
 * key. `changed`: another key is known for the host. `unknown`: the host is unknown, and a person must approve the key.
 * `refused`: a person refused it, or known_hosts marks it `@revoked`.
 */
export type HostKeyVerdict = 'new' | 'same' | 'changed' | 'unknown' | 'refused'

/** A host key as a server presents it. */
export interface HostKey {
  readonly address: string
  readonly port: number
  /** `ssh-ed25519`, `ecdsa-sha2-nistp256`, `tls` and so on. A host may have one of each. */
  readonly algorithm: string
  /** `SHA256:` and base64 without padding, as ssh-keygen(1) prints it. */
  readonly fingerprint: string
}

/** A stored host key. */
export interface PinnedKey extends HostKey {
  readonly id: string
  readonly firstSeenAt: string
  readonly lastSeenAt: string
  /** Another key that the host presented last, for which it was refused; null when there was none. */
  readonly offeredAlgorithm: string | null
  readonly offeredFingerprint: string | null
  readonly offeredAt: string | null
  readonly trust: HostKeyTrust
  /** The scan that met the key last while it was not trusted. */
  readonly scanId: string | null
}

/** `waiting`: for a person, who approves or refuses it. */
export const hostKeyTrusts = ['known', 'waiting', 'refused'] as const

export type HostKeyTrust = (typeof hostKeyTrusts)[number]
