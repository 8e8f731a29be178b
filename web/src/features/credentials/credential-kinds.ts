import type { CredentialKind } from '#api/generated/enums-and-inputs.ts'

export type ValueName =
  | 'username'
  | 'password'
  | 'privateKey'
  | 'passphrase'
  | 'version'
  | 'community'
  | 'authProtocol'
  | 'authPassword'
  | 'privacyProtocol'
  | 'privacyPassword'
  | 'context'
  | 'transport'
  | 'tokenId'
  | 'secret'
  | 'certificate'
  | 'authority'

export interface Field {
  readonly name: ValueName
  readonly label: string
  readonly description?: string
  readonly isRequired?: true
  /** Write-only. */
  readonly isSecret?: true
  /** Multi-line, such as private keys. */
  readonly isLong?: true
  readonly choices?: readonly string[]
}

interface Kind {
  readonly title: string
  readonly fields: readonly Field[]
}

const username: Field = { name: 'username', label: 'Account', isRequired: true }
const password: Field = { name: 'password', label: 'Password', isRequired: true, isSecret: true }
const passphrase: Field = {
  name: 'passphrase',
  label: 'Passphrase',
  description: 'If the key has one.',
  isSecret: true,
}
const privateKey: Field = {
  name: 'privateKey',
  label: 'Private key',
  description: 'As it stands in its file.',
  isRequired: true,
  isSecret: true,
  isLong: true,
}

/** The fields of each kind; validated by the server. */
export const kinds: Readonly<Record<CredentialKind, Kind>> = {
  ssh_password: { title: 'SSH, password', fields: [username, password] },
  ssh_key: { title: 'SSH, key', fields: [username, privateKey, passphrase] },
  snmp_user: {
    title: 'SNMP v3, user',
    fields: [
      username,
      {
        name: 'authProtocol',
        label: 'Authentication',
        choices: ['sha256', 'sha224', 'sha384', 'sha512', 'sha', 'md5'],
      },
      { name: 'authPassword', label: 'Password for authentication', isSecret: true },
      { name: 'privacyProtocol', label: 'Encryption', choices: ['aes', 'aes256b', 'aes256r', 'des'] },
      { name: 'privacyPassword', label: 'Password for encryption', isSecret: true },
      { name: 'context', label: 'Context', description: 'Most devices have none.' },
    ],
  },
  snmp_community: {
    title: 'SNMP v1 or v2c, community',
    fields: [
      { name: 'version', label: 'Version', choices: ['2c', '1'] },
      { name: 'community', label: 'Community', isRequired: true, isSecret: true },
    ],
  },
  winrm: {
    title: 'Windows, WinRM',
    fields: [
      { ...username, description: 'Such as scan, CORP\\scan or scan@corp.example.' },
      password,
      { name: 'transport', label: 'Transport', choices: ['https', 'http'] },
    ],
  },
  vsphere: { title: 'VMware vSphere', fields: [username, password] },
  proxmox_token: {
    title: 'Proxmox VE, API token',
    fields: [
      { name: 'tokenId', label: 'Token ID', description: 'Such as scan@pve!rollcall.', isRequired: true },
      { name: 'secret', label: 'Secret', isRequired: true, isSecret: true },
    ],
  },
  tls_client: {
    title: 'libvirt, client certificate',
    fields: [
      { name: 'certificate', label: 'Certificate', isRequired: true, isLong: true },
      privateKey,
      passphrase,
      {
        name: 'authority',
        label: 'Authority',
        description:
          'Who must have signed the certificate of the host; without one it is pinned at first sight.',
        isLong: true,
      },
    ],
  },
}

export const kindNames = Object.keys(kinds) as CredentialKind[]
