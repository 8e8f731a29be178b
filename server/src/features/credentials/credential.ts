/** What is no secret, of any kind. */
export interface Known {
  readonly id: string
  readonly name: string
  /** Where the service listens, when not at its usual port. */
  readonly port?: number
}

export interface SshPassword extends Known {
  readonly kind: 'ssh_password'
  readonly username: string
  readonly password: string
}

export interface SshKey extends Known {
  readonly kind: 'ssh_key'
  readonly username: string
  /** OpenSSH or PEM. */
  readonly privateKey: string
  readonly passphrase?: string
}

export interface SnmpCommunity extends Known {
  readonly kind: 'snmp_community'
  readonly version: '1' | '2c'
  readonly community: string
}

/** RFC 3414, with RFC 7860 (SHA-2) and RFC 3826 (AES). Without `auth`: noAuthNoPriv; without `privacy`: authNoPriv. */
export interface SnmpUser extends Known {
  readonly kind: 'snmp_user'
  readonly username: string
  readonly auth?: {
    readonly protocol: 'md5' | 'sha' | 'sha224' | 'sha256' | 'sha384' | 'sha512'
    readonly password: string
  }
  readonly privacy?: { readonly protocol: 'des' | 'aes' | 'aes256b' | 'aes256r'; readonly password: string }
  readonly context?: string
}

export interface WinRm extends Known {
  readonly kind: 'winrm'
  /** `user`, `DOMAIN\\user` or `user@domain`. */
  readonly username: string
  readonly password: string
  /** Over TLS (5986) or with message encryption (5985); never a bare password over plain HTTP. */
  readonly transport: 'https' | 'http'
}

export interface VSphere extends Known {
  readonly kind: 'vsphere'
  readonly username: string
  readonly password: string
}

/** An API token `USER@REALM!NAME` and its secret. */
export interface ProxmoxToken extends Known {
  readonly kind: 'proxmox_token'
  readonly tokenId: string
  readonly secret: string
}

/** A client certificate, for libvirt over TLS. */
export interface TlsClient extends Known {
  readonly kind: 'tls_client'
  readonly certificate: string
  readonly privateKey: string
  readonly passphrase?: string
  /** Who must have signed the host's certificate; absent: it is pinned at first sight. */
  readonly authority?: string
}

export type Credential =
  | SshPassword
  | SshKey
  | SnmpCommunity
  | SnmpUser
  | WinRm
  | VSphere
  | ProxmoxToken
  | TlsClient

export type CredentialKind = Credential['kind']

/** What came of showing it to a host. */
export type Outcome = 'accepted' | 'refused' | 'unanswered'
