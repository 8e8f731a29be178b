import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import type { Command, CommandInput } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import type { CredentialKind } from '../credential.ts'
import type { CredentialChanges } from '../credentials.ts'
import type { CredentialInfo } from '../credential-info.ts'
import { credentialKinds, type ValueName, type Values } from '../credential-kinds.ts'

/** Secrets come from standard input or from files: what stands on a command line is read by every process. */
export const secretOptions: Command['options'] = {
  username: { value: 'NAME', help: 'the account' },
  'secret-stdin': { flag: true, help: 'read the secret from standard input, its parts one to a line' },
  'secret-file': { value: 'FILE', help: 'read the secret from a file instead' },
  'key-file': { value: 'FILE', help: 'the private key; the secret is its passphrase then' },
  'certificate-file': { value: 'FILE', help: 'tls_client: the certificate' },
  'authority-file': { value: 'FILE', help: 'tls_client: who must have signed the certificate of the host' },
  'token-id': { value: 'ID', help: 'proxmox_token: USER@REALM!NAME' },
  'snmp-version': { value: '1|2c', help: 'snmp_community: 2c unless given' },
  'auth-protocol': {
    value: 'P',
    help: 'snmp_user: sha256 unless given; its password is the first line of the secret',
  },
  'privacy-protocol': { value: 'P', help: 'snmp_user: aes unless given; its password is the second line' },
  context: { value: 'NAME', help: 'snmp_user: the context' },
  transport: { value: 'https|http', help: 'winrm: https unless given; messages are encrypted in both cases' },
  'unknown-hosts': {
    value: 'ask|trust',
    help: 'ask: a person approves an unknown host before it is sent the secret, as new credentials do; trust: whoever answers there first is sent it',
  },
  port: { value: 'N|usual', help: 'where the service listens, when not at its usual port' },
}

const plain: readonly (readonly [string, ValueName])[] = [
  ['username', 'username'],
  ['token-id', 'tokenId'],
  ['snmp-version', 'version'],
  ['auth-protocol', 'authProtocol'],
  ['privacy-protocol', 'privacyProtocol'],
  ['context', 'context'],
  ['transport', 'transport'],
]
const files: readonly (readonly [string, ValueName])[] = [
  ['key-file', 'privateKey'],
  ['certificate-file', 'certificate'],
  ['authority-file', 'authority'],
]

/** What the lines of the secret are, of each kind. */
const lines: Readonly<Record<CredentialKind, readonly ValueName[]>> = {
  ssh_password: ['password'],
  ssh_key: ['passphrase'],
  snmp_community: ['community'],
  snmp_user: ['authPassword', 'privacyPassword'],
  winrm: ['password'],
  vsphere: ['password'],
  proxmox_token: ['secret'],
  tls_client: ['passphrase'],
}

export async function inputOf(
  options: CommandInput['options'],
  kind: string | undefined,
): Promise<CredentialChanges & { readonly values: Values }> {
  const { name, cidr, target, port, 'opened-by': openers, 'unknown-hosts': unknown } = options
  if (unknown !== undefined && unknown !== 'ask' && unknown !== 'trust')
    throw invalid('unknown-hosts', 'must be ask or trust')
  return {
    ...(typeof name === 'string' && { name }),
    ...(typeof cidr === 'string' && { cidrs: cidr.split('\n') }),
    ...(typeof target === 'string' && { targetIds: target.split('\n') }),
    ...(typeof openers === 'string' && { collectorIds: collectorsIn(openers) }),
    ...(typeof port === 'string' && { port: port === 'usual' ? null : Number(port) }),
    ...(unknown !== undefined && { asksOnUnknownHost: unknown === 'ask' }),
    values: { ...(await filed(options)), ...(await secretOf(options, kind)) },
  }
}

function collectorsIn(openers: string): string[] {
  const given = openers.split('\n')
  if (!given.includes('server')) return given
  if (given.length > 1) throw invalid('opened-by', 'must be server, or collectors')
  return []
}

async function filed(options: CommandInput['options']): Promise<Values> {
  const values: Partial<Record<ValueName, string>> = {}
  for (const [option, value] of plain) {
    const said = options[option]
    if (typeof said === 'string') values[value] = said
  }
  for (const [option, value] of files) {
    const file = options[option]
    if (typeof file === 'string') values[value] = await readFile(file, 'utf8').catch(unreadable(option))
  }
  return values
}

async function secretOf(options: CommandInput['options'], kind: string | undefined): Promise<Values> {
  const file = options['secret-file']
  if (!options['secret-stdin'] && file === undefined) return {}
  const known = credentialKinds.find((it) => it === kind)
  if (!known) throw invalid('kind', `must be one of ${credentialKinds.join(', ')}`)
  const read = typeof file === 'string' ? readFile(file, 'utf8') : text(process.stdin)
  const given = (await read.catch(unreadable('secret-file'))).replace(/\r?\n$/, '').split(/\r?\n/)
  if (given.length > lines[known].length)
    throw invalid('secret', `has ${given.length} lines, ${known} takes ${lines[known].length}`)
  return Object.fromEntries(given.map((line, at) => [lines[known][at], line]))
}

const unreadable = (option: string) => (error: NodeJS.ErrnoException) => {
  throw invalid(option, `cannot be read (${error.code})`)
}

export const credentialJson = (it: CredentialInfo) => ({
  id: it.id,
  name: it.name,
  kind: it.kind,
  ...it.settings,
  port: it.port,
  asks_on_unknown_host: it.asksOnUnknownHost,
  cidrs: it.cidrs,
  targets: it.targetIds,
  collector_only: it.isCollectorOnly,
  collectors: it.collectorIds,
  works_on: it.worksOn,
  refused_on: it.refusedOn,
  set_aside_until: it.setAsideUntil,
  set_aside_because: it.setAsideBecause,
  last_used_at: it.lastUsedAt,
  last_accepted_at: it.lastAcceptedAt,
  created_at: it.createdAt,
  updated_at: it.updatedAt,
})

export function credentialLine(it: CredentialInfo): string {
  const where = [...it.cidrs, ...it.targetIds.map((id) => `target ${id}`)].join(', ')
  const state =
    it.setAsideUntil === null
      ? `works on ${it.worksOn}, refused by ${it.refusedOn}`
      : `SET ASIDE until ${it.setAsideUntil}`
  const openers = it.isCollectorOnly ? `  opened by ${it.collectorIds.join(', ') || 'nobody'}` : ''
  const line = `${it.id}  ${it.kind}  ${it.name}  ${where}${openers}  ${state}`
  return it.setAsideBecause === null ? line : `${line}\n      ${it.setAsideBecause}`
}
