import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tlsCertificateFor } from '#test/support/http/tls-certificates.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'
import { parted } from '../credential-kinds.ts'
import type { CredentialInfo } from '../credential-info.ts'
import type { CredentialKind } from '../credential.ts'
import { credentialLine, inputOf } from './credential-input.ts'

type Options = Readonly<Record<string, string | true>>

function fileOf(text: string): string {
  const path = join(temporaryFolder(), 'file')
  writeFileSync(path, text)
  return path
}

const privateKey = generateKeyPairSync('ed25519')
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString()
const { cert: certificate, key } = tlsCertificateFor('scanner', 10)

test.each<[CredentialKind, Options, string, object]>([
  ['ssh_password', { username: 'scan' }, 'pass word\n', { username: 'scan', password: 'pass word' }],
  [
    'ssh_key',
    { username: 'scan', 'key-file': privateKey },
    'of it',
    { username: 'scan', privateKey, passphrase: 'of it' },
  ],
  ['snmp_community', { 'snmp-version': '1' }, 'public\r\n', { version: '1', community: 'public' }],
  [
    'snmp_user',
    { username: 'u', 'auth-protocol': 'sha512', 'privacy-protocol': 'des', context: 'vlan-7' },
    'first line\r\nsecond line',
    {
      username: 'u',
      authProtocol: 'sha512',
      privacyProtocol: 'des',
      context: 'vlan-7',
      authPassword: 'first line',
      privacyPassword: 'second line',
    },
  ],
  ['winrm', { username: 'u', transport: 'http' }, 'x', { username: 'u', transport: 'http', password: 'x' }],
  ['vsphere', { username: 'u' }, 'x', { username: 'u', password: 'x' }],
  ['proxmox_token', { 'token-id': 'a@pve!b' }, 'x', { tokenId: 'a@pve!b', secret: 'x' }],
  [
    'tls_client',
    { 'certificate-file': certificate, 'authority-file': certificate, 'key-file': key },
    'of it',
    { certificate, authority: certificate, privateKey: key, passphrase: 'of it' },
  ],
])('%s is made of %j and the lines of its secret', async (kind, given, secret, values) => {
  const options = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      name.endsWith('-file') ? fileOf(String(value)) : value,
    ]),
  )
  const input = await inputOf({ ...options, 'secret-file': fileOf(secret) }, kind)
  expect(input).toEqual({ values })
  const { settings, secrets } = parted(kind, input.values)
  expect({ ...settings, ...secrets }).toEqual(values)
  const more = inputOf({ 'secret-file': fileOf(`${secret.trimEnd()}\na\nb`) }, kind)
  await expect(more).rejects.toThrow(/^secret: has [34] lines, /)
})

test.each<[Options, object]>([
  [{}, {}],
  [
    { name: 'x', cidr: '10.0.0.0/8\n192.0.2.0/24', target: 'a\nb' },
    { name: 'x', cidrs: ['10.0.0.0/8', '192.0.2.0/24'], targetIds: ['a', 'b'] },
  ],
  [{ port: '2222' }, { port: 2222 }],
  [{ port: 'usual' }, { port: null }],
  [{ 'opened-by': 'a\nb' }, { collectorIds: ['a', 'b'] }],
  [{ 'opened-by': 'server' }, { collectorIds: [] }],
  [{ 'unknown-hosts': 'ask' }, { asksOnUnknownHost: true }],
  [{ 'unknown-hosts': 'trust' }, { asksOnUnknownHost: false }],
])('the options %j say %j', async (options, said) => {
  expect(await inputOf(options, undefined)).toEqual({ values: {}, ...said })
})

test.each<[Options, string | undefined, string]>([
  [{ 'unknown-hosts': 'maybe' }, undefined, 'unknown-hosts: must be ask or trust'],
  [{ 'opened-by': 'server\na' }, undefined, 'opened-by: must be server, or collectors'],
  [{ 'secret-stdin': true }, undefined, 'kind: must be one of ssh_password, '],
  [{ 'secret-file': '/nowhere/at/all' }, 'vsphere', 'secret-file: cannot be read (ENOENT)'],
  [{ 'key-file': '/nowhere/at/all' }, 'ssh_key', 'key-file: cannot be read (ENOENT)'],
])('the options %j of %s are refused', async (options, kind, message) => {
  await expect(inputOf(options, kind)).rejects.toThrow(message)
})

const info: CredentialInfo = {
  id: 'c1',
  name: 'Linux',
  kind: 'ssh_key',
  settings: {},
  port: null,
  cidrs: ['10.0.0.0/8'],
  targetIds: ['t1'],
  isCollectorOnly: false,
  collectorIds: [],
  asksOnUnknownHost: false,
  setAsideUntil: null,
  setAsideBecause: null,
  worksOn: 3,
  refusedOn: 1,
  lastUsedAt: null,
  lastAcceptedAt: null,
  createdAt: '',
  updatedAt: '',
}

test.each<[Partial<CredentialInfo>, string]>([
  [{}, 'works on 3, refused by 1'],
  [{ isCollectorOnly: true }, 'opened by nobody  works on 3, refused by 1'],
  [{ isCollectorOnly: true, collectorIds: ['a', 'b'] }, 'opened by a, b  works on 3, refused by 1'],
  [
    { setAsideUntil: '2026-03-01T12:00:00Z', setAsideBecause: 'five hosts refused it' },
    'SET ASIDE until 2026-03-01T12:00:00Z\n      five hosts refused it',
  ],
])('a credential of which %j is told in a line', (changes, end) => {
  expect(credentialLine({ ...info, ...changes })).toBe(`c1  ssh_key  Linux  10.0.0.0/8, target t1  ${end}`)
})
