import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Observation } from '#features/assets/observation.ts'
import { inMemoryAccess } from '#test/support/app/in-memory-credentials.ts'
import { needs } from '#test/support/needs.ts'
import { tlsCertificateFor } from '#test/support/http/tls-certificates.ts'
import type { ProxmoxToken } from '../credential-access.ts'
import { hypervisorWithin } from '../hypervisor.ts'
import { proxmoxAnswers } from './proxmox.fixture.ts'

const SECRET = '6f1d8d5a-1d4b-4d0e-9d3c-0a4f5c7b9e21'
const TOKEN = { tokenId: 'scan@pve!inventory', secret: SECRET }

interface Proxmox {
  readonly port: number
  readonly asked: string[]
}

/** Answers only what a client may ask, and only by the token. `whim` may answer instead. */
async function proxmox(
  whim: (path: string) => ((it: ServerResponse) => void) | undefined = () => undefined,
): Promise<Proxmox> {
  const asked: string[] = []
  const { key, cert } = tlsCertificateFor('pve.example.test', 9)
  const server: Server = createServer({ key, cert }, ({ method, url = '', headers }, response) => {
    const path = url.replace('/api2/json', '')
    const say = (status: number, body: unknown): void =>
      void response
        .writeHead(status, { 'content-type': 'application/json;charset=UTF-8' })
        .end(JSON.stringify(body))
    asked.push(path)
    const own = whim(path)
    if (own) return own(response)
    if (headers.authorization !== `PVEAPIToken=${TOKEN.tokenId}=${SECRET}`)
      return say(401, { data: null, message: 'invalid token value!\n' })
    if (method !== 'GET' || !url.startsWith('/api2/json/')) return say(501, { data: null })
    const data = proxmoxAnswers[path]
    return data === undefined
      ? say(403, { data: null, message: 'Permission check failed' })
      : say(200, { data })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { asked, port: (server.address() as AddressInfo).port }
}

async function scan(port: number, more: Partial<ProxmoxToken> = {}, answerMs = 20_000) {
  const token: ProxmoxToken = { kind: 'proxmox_token', id: '1', name: 'token', port, ...TOKEN, ...more }
  const access = inMemoryAccess(token)
  const probe = hypervisorWithin({
    connectMs: 20_000,
    answerMs,
    bodyBytesMax: 1024 * 1024,
    totalMs: 50_000,
    uris: [],
  })
  const options = { signal: new AbortController().signal, now: () => new Date(0), access }
  const seen: Observation[] = []
  let failure = ''
  try {
    for await (const each of probe.run({ kind: 'host', host: '127.0.0.1' }, options)) seen.push(each)
  } catch (error) {
    failure = String(error)
  }
  expect(failure).not.toContain(token.secret)
  return { seen, failure, outcomes: access.uses.map(({ outcome }) => outcome) }
}

needs('openssl')('Proxmox VE, as its API is described', () => {
  test('reports the cluster, its nodes and guests', async () => {
    const there = await proxmox()
    const { seen, failure, outcomes } = await scan(there.port)
    expect({ failure, outcomes }).toEqual({ failure: '', outcomes: ['accepted'] })
    expect(seen.map(({ assetType, name }) => [assetType, name])).toEqual([
      ['cluster', 'office'],
      ['hypervisor', 'pve1'],
      ['hypervisor', 'pve2'],
      ['virtual_machine', 'web'],
      ['virtual_machine', 'golden'],
      ['virtual_machine', 'dns'],
    ])
    expect(there.asked.every((path) => !path.includes('..'))).toBe(true)
  })

  test('reports the properties of a node', async () => {
    const { seen } = await scan((await proxmox()).port)
    expect(seen[1]).toMatchObject({
      os: 'pve-manager/8.1.4/ec5affc9e41f1d79',
      identifiers: [
        { type: 'hostname', value: 'pve1' },
        { type: 'ip', value: '10.9.0.11' },
      ],
      facts: {
        platform: 'Proxmox VE 8.1.4',
        cluster: 'office',
        cpuModel: 'AMD EPYC 7302P',
        cpuCount: 32,
        memoryMb: 65_536,
        datastores: [{ name: 'local', kind: 'dir', shared: false, sizeBytes: 1e11 }],
      },
    })
    expect(seen[2]).toMatchObject({ facts: { powerState: 'offline', cpuCount: 8 } })
  })

  test('reports identifiers from inside a machine too', async () => {
    const { seen } = await scan((await proxmox()).port)
    expect(seen[3]).toEqual({
      sourceKey: 'proxmox/cluster office/100',
      seenAt: new Date(0),
      assetType: 'virtual_machine',
      name: 'web',
      os: 'Debian GNU/Linux 12 (bookworm)',
      vendor: 'QEMU',
      identifiers: [
        { type: 'serial', value: 'SN-1' },
        { type: 'smbios_uuid', value: '9c1f2d3e-4b5a-4c6d-8e7f-001122334455' },
        { type: 'mac', value: 'bc:24:11:00:00:01' },
        { type: 'mac', value: 'bc:24:11:00:00:02' },
        { type: 'hostname', value: 'web.example.test' },
        { type: 'ip', value: '10.9.20.5' },
      ],
      tags: ['prod', 'web'],
      facts: expect.objectContaining({
        host: 'pve1',
        powerState: 'on',
        cpuCount: 4,
        memoryMb: 8_192,
        disks: [{ name: 'scsi0', file: 'local-lvm:vm-100-disk-0', size: '32G', sizeBytes: 34_359_738_368 }],
        interfaces: [
          {
            name: 'net0',
            mac: 'bc:24:11:00:00:01',
            network: 'vmbr0.20',
            addresses: ['10.9.20.5', 'fe80::be24:11ff:fe00:1'],
          },
          { name: 'net1', mac: 'bc:24:11:00:00:02', network: 'vmbr1' },
        ],
      }),
    })
    expect(seen[4]).toMatchObject({ tags: ['template'], facts: { powerState: 'off', template: true } })
    expect(seen[5]?.identifiers).toEqual([
      { type: 'mac', value: 'bc:24:11:00:00:03' },
      { type: 'hostname', value: 'dns' },
      { type: 'ip', value: '10.9.0.53' },
    ])
  })

  test('refuses a token', async () => {
    const { failure, outcomes } = await scan((await proxmox()).port, { secret: 'another-secret' })
    expect(failure).toMatch('refused the API token')
    expect(outcomes).toEqual(['refused'])
  })

  test('hides what the token may not see', async () => {
    const there = await proxmox((path) =>
      /config|agent|network/.test(path)
        ? (it) => void it.writeHead(403, { 'content-type': 'application/json' }).end('{"data":null}')
        : undefined,
    )
    const { seen, failure } = await scan(there.port)
    expect(failure).toBe('')
    expect(seen[3]).toMatchObject({ name: 'web', identifiers: [], facts: { powerState: 'on' } })
  })

  test.each([
    ['text/html', '<html>', 'answers HTTP 200, text/html'],
    ['application/json', '{"data":', 'sent a broken answer'],
    ['application/json', '[]', 'sent a broken answer'],
    ['application/json', `"${'x'.repeat(2 * 1024 * 1024)}"`, 'an answer of more than 1 MiB'],
  ])('that answers %s %.20s is not believed', async (type, body, why) => {
    const there = await proxmox(() => (it) => void it.writeHead(200, { 'content-type': type }).end(body))
    expect((await scan(there.port)).failure).toMatch(why)
  })

  test('that is something else in every field is read without a failure', async () => {
    for (const odd of [null, 7, 'x', [], {}, [null, 1, 'x', [], { type: 'qemu', node: 'n', vmid: 1 }]]) {
      const there = await proxmox((path) =>
        path === '/version'
          ? undefined
          : (it) =>
              void it
                .writeHead(200, { 'content-type': 'application/json' })
                .end(JSON.stringify({ data: odd })),
      )
      expect((await scan(there.port)).failure).toBe('')
    }
  })

  test('that says nothing is given up', async () => {
    const there = await proxmox(() => () => undefined)
    expect((await scan(there.port, {}, 1_000)).failure).toMatch('fell silent')
  })
})
