import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { tlsCertificateFor } from '#test/support/http/tls-certificates.ts'
import {
  accountOf,
  assembled,
  canAsk,
  credentialKinds,
  fieldsOf,
  hasSecret,
  parted,
  secretsOf,
  type Values,
} from './credential-kinds.ts'
import type { CredentialKind } from './credential.ts'

const privateKey = generateKeyPairSync('ed25519')
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString()
const { cert: certificate, key } = tlsCertificateFor('scanner', 10)

/** What each kind must have. */
const whole: Readonly<Record<CredentialKind, Values>> = {
  ssh_password: { username: 'scan', password: 'a secret' },
  ssh_key: { username: 'scan', privateKey },
  snmp_community: { community: 'a secret' },
  snmp_user: { username: 'scan' },
  winrm: { username: 'scan', password: 'a secret' },
  vsphere: { username: 'scan', password: 'a secret' },
  proxmox_token: { tokenId: 'scan@pve!read', secret: 'a secret' },
  tls_client: { certificate, privateKey: key },
}

test('of settings only what a kind has and is no secret becomes part of a credential', () => {
  const written = {
    username: 'scan',
    password: 'from the settings',
    community: 'of another kind',
    id: 'x',
    kind: 'ssh_key',
  }
  const known = { id: 'c1', name: 'Scan', port: undefined, secrets: { password: 'the secret' } }
  expect(assembled({ ...known, kind: 'ssh_password', settings: written })).toEqual({
    id: 'c1',
    name: 'Scan',
    kind: 'ssh_password',
    username: 'scan',
    password: 'the secret',
  })
  expect(assembled({ ...known, kind: 'ssh_key', secrets: {}, settings: written })).toEqual({
    id: 'c1',
    name: 'Scan',
    kind: 'ssh_key',
    username: 'scan',
  })
})

test.each(credentialKinds)('%s takes what it needs, parts it, and misses each of it by name', (kind) => {
  const { settings, secrets } = parted(kind, whole[kind])
  expect({ ...settings, ...secrets }).toMatchObject(whole[kind])
  for (const name of Object.keys(settings)) expect(fieldsOf[kind]).toHaveProperty([name])
  for (const name of Object.keys(whole[kind]) as (keyof Values)[]) {
    const isSecret = fieldsOf[kind][name]?.isSecret === true
    expect(name in secrets).toBe(isSecret)
    expect(hasSecret(kind, { [name]: 'x' })).toBe(isSecret)
    for (const value of ['', undefined])
      expect(() => parted(kind, { ...whole[kind], [name]: value })).toThrow(`${name}: is needed for ${kind}`)
  }
  const credential = assembled({ id: 'c', name: 'n', kind, port: 7, settings, secrets })
  expect(credential).toMatchObject({ id: 'c', name: 'n', kind, port: 7 })
  expect(secretsOf(credential)).toEqual(Object.values(secrets))
  expect(hasSecret(kind, {})).toBe(false)
})

test.each<[CredentialKind, Values, string]>([
  ['ssh_password', { community: 'x' }, 'community: means nothing for ssh_password'],
  ['ssh_password', { password: 'x'.repeat(16_385) }, 'password: must have at most 16384 characters'],
  ['ssh_password', { password: 'a\0b' }, 'password: holds what is no text'],
  ['ssh_password', { username: 'a\ud800' }, 'username: holds what is no text'],
  [
    'ssh_key',
    { privateKey: 'ssh-ed25519 AAAA' },
    'privateKey: must be a private key, in the form of OpenSSH or PEM',
  ],
  ['snmp_community', { version: '3' }, 'version: must be one of 2c, 1'],
  ['snmp_user', { authProtocol: 'crc' }, 'authProtocol: must be one of sha256, '],
  ['snmp_user', { privacyProtocol: 'rot13' }, 'privacyProtocol: must be one of aes, '],
  ['snmp_user', { authPassword: 'seven c' }, 'authPassword: must have at least 8 characters'],
  ['snmp_user', { privacyPassword: 'eight ch' }, 'authPassword: is needed where there is a privacyPassword'],
  [
    'snmp_user',
    { authPassword: 'eight ch', privacyPassword: 'seven c' },
    'privacyPassword: must have at least 8',
  ],
  ['winrm', { transport: 'ftp' }, 'transport: must be one of https, http'],
  ['proxmox_token', { tokenId: 'scan@pve' }, 'tokenId: must be written as USER@REALM!NAME'],
  ['proxmox_token', { tokenId: 'scan @pve!read' }, 'tokenId: must be written as USER@REALM!NAME'],
  ['tls_client', { certificate: 'x' }, 'certificate: must be a certificate in PEM'],
  ['tls_client', { authority: 'x' }, 'authority: must be a certificate in PEM'],
  ['tls_client', { privateKey: certificate }, 'privateKey: must be a private key in PEM'],
])('%s with %j is refused', (kind, values, message) => {
  expect(() => parted(kind, { ...whole[kind], ...values })).toThrow(message)
})

test.each<[CredentialKind, Values, Values]>([
  ['ssh_password', { password: 'x'.repeat(16_384) }, { username: 'scan' }],
  ['ssh_key', { privateKey: `\n${privateKey}` }, { username: 'scan' }],
  ['snmp_community', {}, { version: '2c' }],
  [
    'snmp_user',
    { authPassword: 'eight ch' },
    { username: 'scan', authProtocol: 'sha256', privacyProtocol: 'aes' },
  ],
  ['winrm', {}, { username: 'scan', transport: 'https' }],
  ['winrm', { transport: '' }, { username: 'scan' }],
])('%s with %j has the settings %j', (kind, values, settings) => {
  expect(parted(kind, { ...whole[kind], ...values }).settings).toEqual(settings)
})

test('a user of SNMP is assembled with the protections that have a password', () => {
  const { settings } = parted('snmp_user', { ...whole.snmp_user, context: 'vlan-7' })
  const at = (secrets: Values) =>
    assembled({ id: 'c', name: 'n', kind: 'snmp_user', port: undefined, settings, secrets })
  const known = { id: 'c', name: 'n', kind: 'snmp_user', username: 'scan', context: 'vlan-7' }
  expect(at({})).toEqual(known)
  const auth = { protocol: 'sha256', password: 'one' }
  expect(at({ authPassword: 'one' })).toEqual({ ...known, auth })
  const both = at({ authPassword: 'one', privacyPassword: 'two' })
  expect(both).toEqual({ ...known, auth, privacy: { protocol: 'aes', password: 'two' } })
  expect(secretsOf(both)).toEqual(['one', 'two'])
})

test('asked can be about what sends a secret to who shows a key first', () => {
  const asking = credentialKinds.filter((kind) => canAsk(kind, {}))
  expect(asking).toEqual(['ssh_password', 'winrm', 'vsphere', 'proxmox_token'])
  expect(canAsk('winrm', { transport: 'http' })).toBe(false)
  expect(canAsk('ssh_password', { transport: 'http' })).toBe(true)
})

test.each([
  ['scan', null],
  ['AD\\Scan', 'ad\\scan'],
  ['Scan@ad.test', 'scan@ad.test'],
  [undefined, null],
])('the account of %s is %s', (username, account) => {
  expect(accountOf(username === undefined ? {} : { username })).toBe(account)
})
