/** The key that a host shows, as it is known by. */
export interface HostKey {
  readonly address: string
  readonly port: number
  /** `ssh-ed25519`, `ecdsa-sha2-nistp256`, `tls` and so on. A host may have one of each. */
  readonly algorithm: string
  /** `SHA256:` and base64 without padding, as ssh-keygen(1) prints it. */
  readonly fingerprint: string
}
