import { createPrivateKey, X509Certificate } from 'node:crypto'
import { invalid } from '#platform/errors.ts'
import type { Credential, CredentialKind } from './credential.ts'

export const credentialKinds = [
  'ssh_password',
  'ssh_key',
  'snmp_community',
  'snmp_user',
  'winrm',
  'vsphere',
  'proxmox_token',
  'tls_client',
] as const satisfies readonly CredentialKind[]

const valueNames = [
  'username',
  'password',
  'privateKey',
  'passphrase',
  'version',
  'community',
  'authProtocol',
  'authPassword',
  'privacyProtocol',
  'privacyPassword',
  'context',
  'transport',
  'tokenId',
  'secret',
  'certificate',
  'authority',
] as const
export type ValueName = (typeof valueNames)[number]

/** What a person fills in, by the names of the fields. */
export type Values = Readonly<Partial<Record<ValueName, string>>>

interface Field {
  readonly isSecret?: true
  readonly isRequired?: true
  /** Nothing else may stand there; the first unless given. */
  readonly oneOf?: readonly string[]
}

const secret: Field = { isSecret: true, isRequired: true }
const optionalSecret: Field = { isSecret: true }
const required: Field = { isRequired: true }

const authProtocols = ['sha256', 'sha224', 'sha384', 'sha512', 'sha', 'md5']
const privacyProtocols = ['aes', 'aes256b', 'aes256r', 'des']

/** Which fields each kind has. */
export const fieldsOf: Readonly<Record<CredentialKind, Readonly<Partial<Record<ValueName, Field>>>>> = {
  ssh_password: { username: required, password: secret },
  ssh_key: { username: required, privateKey: secret, passphrase: optionalSecret },
  snmp_community: { version: { oneOf: ['2c', '1'] }, community: secret },
  snmp_user: {
    username: required,
    authProtocol: { oneOf: authProtocols },
    authPassword: optionalSecret,
    privacyProtocol: { oneOf: privacyProtocols },
    privacyPassword: optionalSecret,
    context: {},
  },
  winrm: { username: required, password: secret, transport: { oneOf: ['https', 'http'] } },
  vsphere: { username: required, password: secret },
  proxmox_token: { tokenId: required, secret },
  tls_client: { certificate: required, privateKey: secret, passphrase: optionalSecret, authority: {} },
}

export interface Parted {
  /** What may be read again. */
  readonly settings: Values
  readonly secrets: Values
}

const VALUE_LENGTH_MAX = 16_384
/** RFC 3414 and RFC 7860 derive keys from passwords of this many characters or more. */
const SNMP_PASSWORD_LENGTH_MIN = 8

/** Parts what was given into what may be read and what not; refuses, naming the field, what does not fit the kind. */
export function parted(kind: CredentialKind, values: Values): Parted {
  const fields = fieldsOf[kind]
  const settings: Record<string, string> = {}
  const secrets: Record<string, string> = {}
  for (const name of valueNames) {
    const field = fields[name]
    const value = values[name] ?? field?.oneOf?.[0]
    if (!field && value !== undefined) throw invalid(name, `means nothing for ${kind}`)
    if (!field) continue
    if (field.isRequired && !value) throw invalid(name, `is needed for ${kind}`)
    if (value === undefined || value === '') continue
    check(name, field, value)
    ;(field.isSecret ? secrets : settings)[name] = value
  }
  refuseUnfit(kind, { ...settings, ...secrets })
  return { settings, secrets }
}

export const hasSecret = (kind: CredentialKind, values: Values): boolean =>
  valueNames.some((name) => fieldsOf[kind][name]?.isSecret && values[name] !== undefined)

function check(name: ValueName, { oneOf }: Field, value: string): void {
  if (value.length > VALUE_LENGTH_MAX) throw invalid(name, `must have at most ${VALUE_LENGTH_MAX} characters`)
  if (value.includes('\0') || !value.isWellFormed()) throw invalid(name, 'holds what is no text')
  if (oneOf && !oneOf.includes(value)) throw invalid(name, `must be one of ${oneOf.join(', ')}`)
}

function refuseUnfit(kind: CredentialKind, values: Values): void {
  if (kind === 'snmp_user') refuseUnfitUser(values)
  if (kind === 'tls_client') refuseUnreadable(values)
  if (kind === 'proxmox_token' && !/^[^\s@!]+@[^\s@!]+![^\s@!]+$/.test(values.tokenId ?? ''))
    throw invalid('tokenId', 'must be written as USER@REALM!NAME')
  if (kind === 'ssh_key' && !/^-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/.test(values.privateKey?.trim() ?? ''))
    throw invalid('privateKey', 'must be a private key, in the form of OpenSSH or PEM')
}

function refuseUnfitUser({ authPassword, privacyPassword }: Values): void {
  if (privacyPassword !== undefined && authPassword === undefined)
    throw invalid('authPassword', 'is needed where there is a privacyPassword')
  for (const [name, value] of Object.entries({ authPassword, privacyPassword }))
    if (value !== undefined && value.length < SNMP_PASSWORD_LENGTH_MIN)
      throw invalid(name, `must have at least ${SNMP_PASSWORD_LENGTH_MIN} characters`)
}

/** What cannot be read now could not be used later; the reason is not passed on, for it might quote the key. */
function refuseUnreadable({ certificate = '', authority, privateKey = '', passphrase }: Values): void {
  const isReadable = (read: () => unknown): boolean => {
    try {
      read()
      return true
    } catch {
      return false
    }
  }
  if (!isReadable(() => new X509Certificate(certificate)))
    throw invalid('certificate', 'must be a certificate in PEM')
  if (authority !== undefined && !isReadable(() => new X509Certificate(authority)))
    throw invalid('authority', 'must be a certificate in PEM')
  if (!isReadable(() => createPrivateKey({ key: privateKey, passphrase: passphrase ?? '' })))
    throw invalid('privateKey', 'must be a private key in PEM, with its passphrase if it has one')
}

interface Stored extends Parted {
  readonly id: string
  readonly name: string
  readonly kind: CredentialKind
  readonly port: number | undefined
}

/** As probes want it. */
export function assembled({ id, name, kind, port, settings, secrets }: Stored): Credential {
  const known = { id, name, ...(port !== undefined && { port }) }
  if (kind !== 'snmp_user')
    return { ...open(kind, settings), ...secrets, ...known, kind } as unknown as Credential
  const { username, authProtocol, privacyProtocol, context } = settings
  const { authPassword, privacyPassword } = secrets
  return {
    ...known,
    kind,
    username,
    ...(authPassword !== undefined && { auth: { protocol: authProtocol, password: authPassword } }),
    ...(privacyPassword !== undefined && {
      privacy: { protocol: privacyProtocol, password: privacyPassword },
    }),
    ...(context !== undefined && { context }),
  } as Credential
}

/** Those of a kind alone that are no secret: whoever writes settings cannot put a secret, or another field, among them. */
const open = (kind: CredentialKind, settings: Values): Values =>
  Object.fromEntries(
    valueNames.flatMap((name) => {
      const field = fieldsOf[kind][name]
      const value = settings[name]
      return field && !field.isSecret && value !== undefined ? [[name, value]] : []
    }),
  )

/** The values that nobody may read, of a credential as probes have it. */
export function secretsOf(credential: Credential): string[] {
  const values = credential as unknown as Readonly<Record<string, unknown>>
  const ofUser =
    credential.kind === 'snmp_user' ? [credential.auth?.password, credential.privacy?.password] : []
  const own = valueNames
    .filter((name) => fieldsOf[credential.kind][name]?.isSecret)
    .map((name) => values[name])
  return [...own, ...ofUser].filter((it): it is string => typeof it === 'string')
}

/**
 * Whether it can be asked about a host that nobody knows: the secret itself is sent, over something that shows a key
 * or a certificate first. A key of SSH and a client certificate only sign what is bound to the connection, so whoever
 * stands in a host's place learns a user name and nothing to sign in with elsewhere. SNMP and WinRM over plain HTTP
 * show nothing that a host could be known by.
 */
export const canAsk = (kind: CredentialKind, { transport = 'https' }: Values): boolean =>
  kind === 'ssh_password' ||
  kind === 'vsphere' ||
  kind === 'proxmox_token' ||
  (kind === 'winrm' && transport === 'https')

/** The account, where a directory keeps it for many hosts and locks it for all of them at once. */
export function accountOf({ username }: Values): string | null {
  return username !== undefined && /[\\@]/.test(username) ? username.toLowerCase() : null
}
