import { execFileSync } from 'node:child_process'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Observation } from '#features/assets/observation.ts'
import { needs } from '#test/support/needs.ts'
import { windowsHost } from '#test/support/scanned-hosts/windows-wmi-host.ts'
import { fault, wsmanServer, type WsmanServerOptions } from '#test/support/scanned-hosts/wsman-server.ts'
import type { Access, Outcome, WinRm } from './credential-access.ts'
import { wmi } from './wmi.ts'

const PASSWORD = 'Zer0-Käse & "<>"'
const accounts = { alice: PASSWORD }

interface Visit {
  readonly transport?: 'http' | 'https'
  readonly username?: string
  readonly password?: string
  readonly known?: Map<string, string>
  readonly signal?: AbortSignal
}

/** A scan, and what it told the vault. */
async function scan(port: number, visit: Visit = {}) {
  const { transport = 'http', username = 'CORP\\alice', password = PASSWORD, known = new Map() } = visit
  const credential: WinRm = { kind: 'winrm', id: '1', name: 'x', port, username, password, transport }
  const outcomes: Outcome[] = []
  const access: Access = {
    credentialsFor: async () => [credential],
    recordOutcome: async (_, __, outcome) => void outcomes.push(outcome),
    async knowHostKey({ fingerprint }) {
      const before = known.get('tls')
      if (before === undefined) known.set('tls', fingerprint)
      return before === undefined ? 'new' : before === fingerprint ? 'same' : 'changed'
    },
  }
  const seen: Observation[] = []
  const options = { signal: visit.signal ?? new AbortController().signal, now: () => new Date(), access }
  const failure = await (async () => {
    for await (const each of wmi.run({ kind: 'host', host: '127.0.0.1' }, options)) seen.push(each)
  })().catch((error: unknown) => String(error))
  return { seen, outcomes, failure }
}

const serve = (more: Partial<WsmanServerOptions> = {}) =>
  wsmanServer({ accounts, answer: windowsHost(), ...more })

function certificate() {
  const words = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-subj',
    '/CN=file01',
    '-keyout',
    '-',
    '-out',
    '-',
  ]
  const pem = execFileSync('openssl', words, { stdio: ['ignore', 'pipe', 'ignore'] }).toString()
  return { key: pem, cert: pem }
}

needs(
  '/etc/gss/mech.d/mech.ntlmssp.conf',
  '/usr/lib/python3/dist-packages/gssapi',
  'openssl',
)('a Windows host, over NTLM by another implementation', () => {
  test('is read through sealed messages: identity, system, network, software', async () => {
    const server = await serve()
    const { seen, outcomes, failure } = await scan(server.port)
    expect(failure).toBeUndefined()
    expect(outcomes).toEqual(['accepted'])
    expect(seen).toHaveLength(1)
    expect(seen[0]).toMatchObject({
      assetType: 'device',
      name: 'FILE01',
      os: 'Microsoft Windows Server 2022 Standard',
      vendor: 'Dell Inc.',
      model: 'PowerEdge R650',
    })
    expect(seen[0]?.identifiers).toEqual([
      { type: 'smbios_uuid', value: '4C4C4544-0043-5110-8052-B4C04F4E4B33' },
      { type: 'serial', value: '9CQRNK3' },
      { type: 'machine_id', value: '6f2a1b3c-4d5e-4f60-8a9b-0c1d2e3f4a5b' },
      { type: 'hostname', value: 'file01.corp.example' },
      { type: 'mac', value: 'B0:7B:25:01:02:03' },
      { type: 'mac', value: 'B0:7B:25:01:02:04' },
      { type: 'ip', value: '10.20.30.40', static: true },
      { type: 'ip', value: 'fe80::b27b:25ff:fe01:203', static: true },
      { type: 'ip', value: '127.0.0.1' },
    ])
    expect(seen[0]?.software).toEqual({
      release: {
        id: 'windows',
        versionId: '10.0.20348.2340',
        prettyName: 'Microsoft Windows Server 2022 Standard',
        codename: '21H2',
      },
      complete: ['windows', 'hotfix'],
      items: [
        {
          origin: 'windows',
          name: '7-Zip 23.01 (x64)',
          version: '23.01',
          arch: 'x64',
          vendor: 'Igor Pavlov',
        },
        {
          origin: 'windows',
          name: 'Notepad++ (32-bit x86)',
          version: '8.6.2',
          arch: 'x86',
          vendor: 'Notepad++ Team',
          installedAt: new Date('2024-01-31T00:00:00Z'),
        },
        {
          origin: 'windows',
          name: 'Visual Studio Code (User)',
          version: '1.86.0',
          arch: 'x64',
          user: 'alice',
        },
        {
          origin: 'hotfix',
          name: 'KB5034439',
          version: '',
          vendor: 'Microsoft',
          installedAt: new Date('2024-01-10'),
        },
        {
          origin: 'hotfix',
          name: 'KB5035857',
          version: '',
          vendor: 'Microsoft',
          installedAt: new Date('2024-03-13'),
        },
        { origin: 'hotfix', name: 'KB5036909', version: '', vendor: 'Microsoft' },
      ],
    })
    expect(seen[0]?.facts).toEqual({
      architecture: 'x64',
      cpuCount: 32,
      cpuModel: 'Intel(R) Xeon(R) Gold 6326',
      memoryBytes: 137_096_654_848,
      bootedAt: '2026-11-01T07:00:00.500Z',
      installedAt: '2023-03-14T09:11:12.000Z',
      biosVersion: '1.12.1',
      assetTag: 'A & B <17>',
      domain: 'corp.example',
      productType: 'server',
      signedInUser: 'CORP\\alice',
      protection: { diskEncryption: 'bitlocker' },
      interfaces: [
        {
          name: 'LAN',
          mac: 'B0:7B:25:01:02:03',
          addresses: [
            { ip: '10.20.30.40', prefix: 24, isLeased: false },
            { ip: 'fe80::b27b:25ff:fe01:203', prefix: 64, isLeased: false },
          ],
          gateways: ['10.20.30.1'],
        },
      ],
      disks: [{ name: 'DELL PERC H755', bytes: 1_919_850_381_312, serial: '00e1' }],
      fileSystems: [{ mount: 'C:', kind: 'NTFS', bytes: 1_919_000_000_000, used: 1_918_999_999_900 }],
      accounts: [
        { name: 'Administrator', title: '', isDisabled: true, rid: 500 },
        { name: 'alice', title: 'Alice Ädams', isDisabled: false, rid: 1001 },
      ],
      services: ['Spooler', 'W32Time'],
      firewalls: [
        { profile: 'domain', status: 'on' },
        { profile: 'private', status: 'on' },
        { profile: 'public', status: 'off' },
      ],
      notes: ['MSFT_NetTCPConnection: The specified class does not exist.'],
    })
  })

  test('is read over TLS, and its certificate is pinned', async () => {
    const known = new Map<string, string>()
    const server = await serve({ tls: certificate() })
    expect(await scan(server.port, { transport: 'https', known })).toMatchObject({ outcomes: ['accepted'] })
    const other = await serve({ tls: certificate() })
    const { failure, outcomes, seen } = await scan(other.port, { transport: 'https', known })
    expect(failure).toMatch(/TLS certificate of 127\.0\.0\.1:\d+ has changed/)
    expect({ outcomes, seen, envelopes: other.envelopes }).toEqual({
      outcomes: ['unanswered'],
      seen: [],
      envelopes: [],
    })
  })

  test.each([
    ['a wrong password', { password: 'hunter2' }],
    ['an unknown account', { username: 'CORP\\mallory' }],
  ])('%s is refused, and the message does not repeat it', async (_, visit) => {
    const server = await serve()
    const { failure, outcomes } = await scan(server.port, visit)
    expect(failure).toMatch(/^ProbeFailure: 127\.0\.0\.1 refused to sign in CORP\\/)
    expect(failure).not.toContain('hunter2')
    expect(failure).not.toContain(PASSWORD)
    expect(outcomes).toEqual(['refused'])
  })

  test('a service that restarts in the middle is signed in to again', async () => {
    const host = windowsHost()
    let questions = 0
    const server = await serve({
      answer(envelope) {
        questions += 1
        if (questions === 7) server.drop()
        return host(envelope)
      },
    })
    const { seen, failure } = await scan(server.port)
    expect(failure).toBeUndefined()
    expect(seen[0]).toMatchObject({ name: 'FILE01', software: { complete: ['windows', 'hotfix'] } })
  })

  test('a service that ends every session is given up', async () => {
    const server = await serve({
      answer() {
        server.drop()
        return ''
      },
    })
    expect((await scan(server.port)).failure).toMatch(/ended the session 3 times/)
  })

  test('answers that were changed on the way are not believed', async () => {
    const flip = (body: Buffer): Buffer => {
      const at = body.length - 40
      body[at] = (body[at] ?? 0) ^ 1
      return body
    }
    const server = await serve({ spoil: flip })
    const { failure, seen } = await scan(server.port)
    expect(failure).toMatch(/was not sealed by the server/)
    expect(seen).toEqual([])
  })

  test.each([
    ['cut off', (body: Buffer) => body.subarray(0, -60), /is cut off|not as sealed/],
    ['empty', () => Buffer.alloc(0), /holds no sealed message/],
    ['noise', () => Buffer.from(';Length=5\r\n--Encrypted'), /not as sealed messages/],
  ])('an answer that is %s ends the scan with a reason', async (_, spoil, reason) => {
    const { failure } = await scan((await serve({ spoil })).port)
    expect(failure).toMatch(reason)
  })

  test.each([
    ['no XML', () => 'nonsense', /is not WS-Management/],
    ['a document type', () => '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>', /is not WS-Management/],
    [
      'access denied',
      () => ({ status: 500, body: fault('w:AccessDenied', 'Access is denied.') }),
      /Remote Management Users/,
    ],
    ['an endless list', () => endless, /goes on without giving anything/],
  ])('%s from inside ends the scan with a reason', async (_, answer, reason) => {
    const { failure, outcomes } = await scan((await serve({ answer })).port)
    expect(failure).toMatch(reason)
    expect(outcomes).toEqual(['accepted'])
  })

  test('a host that hangs is given up when the scan is cancelled', async () => {
    const silent = createServer(() => undefined)
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void silent.close())
    const { failure } = await scan((silent.address() as AddressInfo).port, {
      signal: AbortSignal.timeout(300),
    })
    expect(failure).toMatch(/TimeoutError/)
  })

  test('nobody there, and a web server that is no Windows', async () => {
    expect((await scan(9)).failure).toMatch(/nothing listens there/)
  })
})

const endless =
  '<s:Envelope xmlns:s="s"><s:Body><n:EnumerateResponse xmlns:n="n"><n:EnumerationContext>1</n:EnumerationContext><n:Items/></n:EnumerateResponse></s:Body></s:Envelope>'.replaceAll(
    'EnumerateResponse',
    'PullResponse',
  )
