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
