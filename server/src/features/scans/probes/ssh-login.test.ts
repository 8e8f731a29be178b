import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Observation } from '#features/assets/observation.ts'
import { needs } from '#test/support/needs.ts'
import { accessWith, HOST, keyOf, look, only, passwordOf, type TestKeys } from './ssh/access.fixture.ts'
import {
  PASSPHRASE,
  openSshLab,
  type SshLab,
  type SshServer,
} from '#test/support/scanned-hosts/ssh-servers.ts'

test('needs credentials', async () => {
  await expect(look(undefined)).rejects.toThrow('needs credentials')
  await expect(look(accessWith([]))).rejects.toThrow(`no credential may be shown to ${HOST} over SSH`)
})

needs(
  'root',
  'sshd',
  'openssl',
)('logging in over SSH', () => {
  let place: SshLab
  let sshd: SshServer
  beforeAll(async () => {
    place = await openSshLab()
    sshd = await place.sshd()
  })
  afterAll(() => place?.close())

  test.each(['ed25519', 'rsa', 'ecdsa', 'encrypted'] as const)('logs in with a key: %s', async (name) => {
    const access = accessWith([keyOf(place, sshd.port, name)])
    expect(await look(access)).toHaveLength(1)
    expect(access.outcomes).toEqual([{ name, address: HOST, outcome: 'accepted' }])
  })

  test('sends no password to a host that nobody knows, when the credential asks first', async () => {
    const secret = passwordOf(place, sshd.port)
    const access = accessWith([secret, { ...secret, id: 'other', name: 'other' }])
    const asking: typeof access = { ...access, knowHostKey: () => Promise.resolve('unknown') }
    await expect(look(asking)).rejects.toThrow(/is not known, and the credential asks before.*nothing secret/)
    expect(access.outcomes).toEqual([
      { name: 'password', address: HOST, outcome: 'unanswered' },
      { name: 'other', address: HOST, outcome: 'unanswered' },
    ])
  })

  test('logs in with a key in PKCS#8', async () => {
    const args = ['pkey', '-in', place.keys.encrypted, '-passin', `pass:${PASSPHRASE}`]
    const privateKey = execFileSync('openssl', args, { encoding: 'utf8' })
    expect(privateKey).toContain('BEGIN PRIVATE KEY')
    const { passphrase: _, ...plain } = keyOf(place, sshd.port, 'encrypted')
    const access = accessWith([{ ...plain, privateKey }])
    expect(await look(access)).toHaveLength(1)
    expect(access.outcomes).toEqual([{ name: 'encrypted', address: HOST, outcome: 'accepted' }])
  })

  test('says that a key cannot be read, without its phrase', async () => {
    const access = accessWith([{ ...keyOf(place, sshd.port, 'encrypted'), passphrase: 'another phrase' }])
    const failure = look(access)
    await expect(failure).rejects.toThrow(
      /private key of the credential encrypted cannot be read; the passphrase may be wrong/,
    )
    await expect(failure).rejects.not.toThrow(/another phrase/)
  })

  test('types a password where the host asks for one', async () => {
    const asking = await place.sshd([
      'UsePAM yes',
      'PasswordAuthentication no',
      'KbdInteractiveAuthentication yes',
    ])
    const access = accessWith([passwordOf(place, asking.port)])
    expect(await look(access)).toHaveLength(1)
    expect(access.outcomes).toEqual([{ name: 'password', address: HOST, outcome: 'accepted' }])
  })

  test('names the refused user, tries the next credential and records both outcomes', async () => {
    const both = accessWith([passwordOf(place, sshd.port, 'a wrong one'), keyOf(place, sshd.port)])
    expect(await look(both)).toHaveLength(1)
    expect(both.outcomes.map(({ outcome }) => outcome)).toEqual(['refused', 'accepted'])

    const server = await place.sshd()
    const wrong = accessWith([passwordOf(place, server.port, 'a wrong one')])
    const refused: Observation[] = []
    await expect(look(wrong, { into: refused })).rejects.toThrow(
      `${HOST}:${server.port} did not let ${place.username} in: refused`,
    )
    expect(wrong.outcomes).toEqual([{ name: 'password', address: HOST, outcome: 'refused' }])
    expect(server.log().match(/Failed password/g)).toHaveLength(1)
    expect(JSON.stringify(refused)).not.toContain('a wrong one')
    expect(refused).toMatchObject([{ identifiers: [{ type: 'ip' }, { type: 'ssh_host_key' }] }])
  })

  test('sends nothing to a host whose key has changed', async () => {
    const before = await place.sshd([], [await place.hostKey('ed25519')])
    const access = accessWith([passwordOf(place, before.port)])
    await look(access)
    await before.stop()
    const after = await place.sshd([`Port ${before.port}`], [await place.hostKey('ed25519')])
    const known = new Map([[`${HOST} ${after.port}`, [...access.known.values()][0]]]) as TestKeys
    const again = accessWith([passwordOf(place, after.port)], known)
    const found: Observation[] = []
    await expect(look(again, { into: found })).rejects.toThrow(
      /host key of .* has changed.*Nothing secret was sent/,
    )
    expect(found).toEqual([])
    expect(again.outcomes).toEqual([{ name: 'password', address: HOST, outcome: 'unanswered' }])
    expect(after.log()).not.toMatch(/password|Accepted|userauth-request/)
  })

  test('asks a host first for the key that it is known by', async () => {
    const [ed25519, rsa] = [await place.hostKey('ed25519'), await place.hostKey('rsa')]
    const old = await place.sshd([], [rsa])
    const access = accessWith([keyOf(place, old.port)])
    await look(access)
    const grown = await place.sshd([], [ed25519, rsa])
    const known = new Map([[`${HOST} ${grown.port}`, [...access.known.values()][0]]]) as TestKeys
    expect(await look(accessWith([keyOf(place, grown.port)], known))).toHaveLength(1)
  })

  test('lets old devices in last and says so', async () => {
    const old = await place.sshd([
      'KexAlgorithms diffie-hellman-group14-sha1',
      'Ciphers aes128-cbc',
      'MACs hmac-sha1',
    ])
    const found = only(await look(accessWith([keyOf(place, old.port)])))
    expect(found.facts?.['sshWeakAlgorithms']).toEqual([
      'aes128-cbc',
      'diffie-hellman-group14-sha1',
      'hmac-sha1',
    ])
    const usual = only(await look(accessWith([keyOf(place, sshd.port)])))
    expect(usual.facts).not.toHaveProperty('sshWeakAlgorithms')
  })
})
