import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Observation } from '#features/assets/observation.ts'
import { needs } from '#test/support/needs.ts'
import { snmpd, type Snmpd } from '#test/support/scanned-hosts/snmpd.ts'
import type { SnmpUser } from './credential-access.ts'
import { community, look } from './snmp/agent.fixture.ts'

const run = promisify(execFile)
const LONG = 120_000
const PASSWORDS = { auth: 'authpass12345', privacy: 'privpass12345' }

/** What net-snmp calls them, and whether snmpd is built with them everywhere. */
const users = [
  ['md5_des', 'MD5', 'md5', 'DES', 'des'],
  ['sha_des', 'SHA', 'sha', 'DES', 'des'],
  ['sha_aes', 'SHA', 'sha', 'AES', 'aes'],
  ['sha224_aes', 'SHA-224', 'sha224', 'AES', 'aes'],
  ['sha256_aes', 'SHA-256', 'sha256', 'AES', 'aes'],
  ['sha384_aes', 'SHA-384', 'sha384', 'AES', 'aes'],
  ['sha512_aes', 'SHA-512', 'sha512', 'AES', 'aes'],
  ['md5_aes256', 'MD5', 'md5', 'AES-256', 'aes256b'],
  ['sha_aes256', 'SHA', 'sha', 'AES-256', 'aes256b'],
  ['sha512_aes256', 'SHA-512', 'sha512', 'AES-256', 'aes256b'],
] as const

needs(
  'snmpd',
  'snmpget',
  'snmpbulkwalk',
)('snmpd', () => {
  let agent: Snmpd
  beforeAll(async () => {
    agent = await snmpd(
      'sysLocation Rack 12, Room B, "Hall-1"',
      'sysContact noc@example.test',
      'sysName core-1.example.test',
      'sysServices 72',
      ...users.flatMap(([name, auth, , privacy]) => [
        `createUser ${name} ${auth} ${PASSWORDS.auth} ${privacy} ${PASSWORDS.privacy}`,
        `rouser ${name} priv`,
      ]),
      `createUser signs SHA-256 ${PASSWORDS.auth}`,
      'rouser signs auth',
      'createUser nobody',
      'rouser nobody noauth',
    )
  }, LONG)
  afterAll(() => agent.close())

  const user = (
    username: string,
    auth?: NonNullable<SnmpUser['auth']>['protocol'],
    privacy?: NonNullable<SnmpUser['privacy']>['protocol'],
    passwords = PASSWORDS,
  ): SnmpUser => ({
    id: username,
    name: username,
    kind: 'snmp_user',
    username,
    port: agent.port,
    ...(auth && { auth: { protocol: auth, password: passwords.auth } }),
    ...(privacy && { privacy: { protocol: privacy, password: passwords.privacy } }),
  })

  describe.concurrent('lets in', () => {
    test.each(users)('%s', { timeout: LONG }, async (...[name, , auth, , privacy]) => {
      const { seen, outcomes } = await look([user(name, auth, privacy)])
      expect(seen).toMatchObject({ name: 'core-1.example.test', facts: { askedBy: 'SNMPv3' } })
      expect(outcomes).toEqual([{ credential: name, outcome: 'accepted' }])
    })

    test('a user who only signs, and one who does not', { timeout: LONG }, async () => {
      for (const it of [user('signs', 'sha256'), user('nobody')])
        expect((await look([it])).seen.name).toBe('core-1.example.test')
    })
  })

  describe.concurrent('does not let in', () => {
    test.each([
      ['an unknown user', () => user('stranger', 'sha', 'aes'), 'the agent does not know this user'],
      [
        'a wrong password',
        () => user('sha_aes', 'sha', 'aes', { ...PASSWORDS, auth: 'wrongpass12345' }),
        'wrong authentication password or protocol',
      ],
      [
        'a wrong protocol',
        () => user('sha_aes', 'sha256', 'aes'),
        'wrong authentication password or protocol',
      ],
      [
        'a wrong privacy password',
        () => user('sha_aes', 'sha', 'aes', { ...PASSWORDS, privacy: 'wrongpass12345' }),
        'wrong privacy password or protocol',
      ],
      ['one who signs but must encrypt', () => user('sha_aes', 'sha'), 'may not read here'],
      [
        'one who encrypts but cannot',
        () => user('signs', 'sha256', 'aes'),
        'does not support this security level',
      ],
      [
        'a wrong community',
        () => community(agent.port, '2c', 'wrong'),
        'the community is wrong, to which agents are silent',
      ],
    ])('%s', { timeout: LONG }, async (_, credential, why) => {
      await expect(look([credential()])).rejects.toThrow(why)
      await expect(look([credential()])).rejects.not.toThrow(/wrongpass12345|authpass12345|privpass12345/)
    })

    test('but asks with the next credential', { timeout: LONG }, async () => {
      const wrong = user('sha_aes', 'sha', 'aes', { ...PASSWORDS, auth: 'wrongpass12345' })
      const { seen, outcomes } = await look([community(agent.port), wrong])
      expect(seen.facts).toMatchObject({ askedBy: 'SNMPv2c' })
      expect(outcomes).toEqual([
        { credential: 'sha_aes', outcome: 'refused' },
        { credential: 'lab', outcome: 'accepted' },
      ])
    })
  })

  describe('tells what the machine itself says:', () => {
    let seen: Observation
    beforeAll(async () => {
      seen = (await look([user('sha256_aes', 'sha256', 'aes')])).seen
    }, LONG)

    test('the system group', async () => {
      const value = async (oid: string) =>
        (await agent.ask('snmpget', '-Oqv', oid)).trim().replace(/^"|"$/g, '')
      expect(seen.facts).toMatchObject({
        sysDescr: await value('1.3.6.1.2.1.1.1.0'),
        sysObjectID: (await value('1.3.6.1.2.1.1.2.0')).replace(/^\./, ''),
        sysContact: 'noc@example.test',
        sysLocation: 'Rack 12, Room B, "Hall-1"',
        sysServices: 72,
      })
      const [, kernel] = /^Linux \S+ (\S+)/.exec(await value('1.3.6.1.2.1.1.1.0')) ?? []
      expect(seen.os).toBe(`Linux ${kernel}`)
      expect((await run('uname', ['-r'])).stdout.trim()).toBe(kernel)
    })

    test('the id of its engine', async () => {
      const printed = await agent.ask('snmpget', '-Oqvx', '1.3.6.1.6.3.10.2.1.1.0')
      const hex = printed.replaceAll(/[^0-9A-F]/gi, '').toLowerCase()
      expect(seen.identifiers).toContainEqual({ type: 'snmp_engine', value: hex })
    })

    test('interfaces with addresses and MACs', async () => {
      const own = Object.entries(networkInterfaces()).flatMap(([name, all]) =>
        (all ?? []).map((it) => ({ name, ...it })),
      )
      const interfaces = seen.facts?.['interfaces'] as { name: string; mac?: string; addresses?: string[] }[]
      for (const { name, cidr, mac, internal } of own) {
        const one = interfaces.find((it) => it.name === name)
        expect(one?.addresses).toContain(cidr)
        expect(one?.mac).toBe(internal ? undefined : mac)
      }
      const listed = (await run('ls', ['/sys/class/net'])).stdout
        .split('\n')
        .filter((it) => it !== '' && it !== 'bonding_masters')
      expect(interfaces.map((it) => it.name).toSorted()).toEqual(listed.toSorted())
    })

    test('packages with exact versions, as dpkg prints them', async () => {
      const { stdout } = await run('dpkg-query', [
        '-W',
        '-f',
        '${db:Status-Status} ${Package} ${Version} ${Architecture}\n',
      ])
      const installed = stdout.split('\n').filter((it) => it.startsWith('installed '))
      const items = (seen.software?.items ?? []).map((it) => `installed ${it.name} ${it.version} ${it.arch}`)
      expect(items.length).toBeGreaterThan(100)
      expect(new Set(items)).toEqual(new Set(installed))
      expect(seen.software?.complete).toEqual(['snmp'])
    })

    test('memory, storage and processors', async () => {
      const memory = /MemTotal:\s+(\d+) kB/.exec(await readFile('/proc/meminfo', 'utf8'))?.[1]
      expect(seen.facts?.['memoryKb']).toBe(Number(memory))
      const storage = seen.facts?.['storage'] as { name: string; bytes: number }[]
      const [, size] = (await run('df', ['-B1', '--output=target,size', '/'])).stdout.trim().split('\n')
      const root = storage.find((it) => it.name === '/')
      expect(root?.bytes).toBe(Number(size?.trim().split(/\s+/)[1]))
      const devices = seen.facts?.['devices'] as { kind: string }[]
      const cpus = (await readFile('/proc/cpuinfo', 'utf8')).match(/^processor\s/gm)
      expect(devices.filter((it) => it.kind === 'processor')).toHaveLength(cpus?.length ?? 0)
    })

    test('nothing was cut', () => {
      expect(seen.facts?.['cuts']).toBeUndefined()
    })
  })
})
