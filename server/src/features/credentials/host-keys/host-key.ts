/**
 * What is thought of a key that a host shows. `new`: nothing was known of the host, and the key is taken for its own.
 * `same`: known. `changed`: the host is known by another. `unknown`: nobody knows the host, and a person is asked.
 * `refused`: a person said, or a line of known_hosts, that it is not the host's.
 */
export type HostKeyVerdict = 'new' | 'same' | 'changed' | 'unknown' | 'refused'

/** The key that a host shows, as it is known by. */
export interface HostKey {
  readonly address: string
  readonly port: number
  /** `ssh-ed25519`, `ecdsa-sha2-nistp256`, `tls` and so on. A host may have one of each. */
  readonly algorithm: string
  /** `SHA256:` and base64 without padding, as ssh-keygen(1) prints it. */
  readonly fingerprint: string
}

/** A key that a host is known by. */
export interface PinnedKey extends HostKey {
  readonly id: string
  readonly firstSeenAt: string
  readonly lastSeenAt: string
  /** What the host showed instead, and was refused for; null when it always showed its key. */
  readonly offeredAlgorithm: string | null
  readonly offeredFingerprint: string | null
  readonly offeredAt: string | null
  readonly trust: HostKeyTrust
  /** The scan that met it last while nobody knew it. */
  readonly scanId: string | null
}

/** `waiting`: for a person, who approves or refuses it. */
export const hostKeyTrusts = ['known', 'waiting', 'refused'] as const

export type HostKeyTrust = (typeof hostKeyTrusts)[number]
