import { expect, test } from 'vitest'
import type { Caller } from '#test/support/http/api-client.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'

const home = sharedTestApp()

async function caller(scopes: readonly string[] = ['recognition:read']): Promise<Caller> {
  return home().as(await home().key(await home().newTenant(), scopes))
}

const TYPES = [
  'workstation',
  'server',
  'router',
  'switch',
  'firewall',
  'printer',
  'camera',
  'sensor',
  'gateway',
  'access_point',
  'load_balancer',
  'storage',
  'unknown',
]

test('GET /recognition/device-types -> 200 with the types of the contract', async () => {
  const { status, body } = await (await caller()).get('/recognition/device-types')
  expect({ status, body }).toEqual({ status: 200, body: { device_types: TYPES } })
})

test('POST /recognition/recognize/mac -> 200 with vendor and source', async () => {
  const { status, body } = await (
    await caller()
  ).post('/recognition/recognize/mac', { mac_address: '00-00-0c-12-34-56' })
  const match = {
    device_type: 'unknown',
    vendor: 'Cisco Systems, Inc',
    model: '',
    confidence: 0.35,
    source: 'mac_oui',
  }
  expect({ status, body }).toEqual({ status: 200, body: { ...match, matches: [match] } })
})

test('POST /recognition/recognize/mac -> 200 and the fallback where nobody is registered', async () => {
  const { status, body } = await (
    await caller()
  ).post('/recognition/recognize/mac', { mac_address: 'FF:FF:FF:FF:FF:FF' })
  expect({ status, body }).toEqual({
    status: 200,
    body: { device_type: 'unknown', vendor: '', model: '', confidence: 0, source: 'fallback', matches: [] },
  })
})

test.each([
  ['/recognition/recognize/mac', { mac_address: ' 00:00:0c:12:34:56' }, 'mac_address'],
  ['/recognition/recognize/ip', { ip_address: '192.0.2.7\n' }, 'ip_address'],
  ['/recognition/recognize', { mac_address: '00:00:0c:12:34:56 ' }, 'mac_address'],
  ['/recognition/recognize', { mac_address: ' ', ip_address: '\t192.0.2.7' }, 'ip_address'],
])('POST %s of %j -> 400: with blanks around it is no address', async (path, body, field) => {
  const { status, body: answer } = await (await caller()).post(path, body)
  expect([status, answer]).toMatchObject([
    400,
    { error: 'invalid_request', message: expect.stringMatching(`^${field}: is not a`) },
  ])
})

test('POST /recognition/recognize/ip -> 200, and little confidence', async () => {
  const api = await caller()
  const { status, body } = await api.post('/recognition/recognize/ip', { ip_address: '2001:db8::7' })
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { device_type: 'unknown', source: 'fallback' },
  })
  const router = await api.post('/recognition/recognize/ip', { ip_address: '192.168.0.1' })
  expect(router.body).toMatchObject({ device_type: 'router', confidence: 0.15, source: 'ip' })
})

test('POST /recognition/recognize/fingerprint -> 200, with hints', async () => {
  const fingerprint = { protocol: 'snmp', description: 'HP LaserJet 4250', vendor: 'HP' }
  const { status, body } = await (await caller()).post('/recognition/recognize/fingerprint', { fingerprint })
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { device_type: 'printer', vendor: 'HP', model: 'LaserJet 4250', source: 'snmp_sysdescr' },
  })
})

test('POST /recognition/recognize -> 200 with what each signal said', async () => {
  const { status, body } = await (
    await caller()
  ).post('/recognition/recognize', {
    mac_address: '00:40:8C:12:34:56',
    hostname: 'cam-7',
    fingerprints: { http: { server: 'AXIS P3245-LVE Network Camera' }, ports: [554] },
  })
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { device_type: 'camera', vendor: 'AXIS', model: 'P3245-LVE', source: 'http' },
  })
  expect(body).toHaveProperty('matches.length', 4)
})

test.each([
  ['', {}, 'mac_address'],
  ['', { vendor: 'HP', hostname: 'x' }, 'fingerprints'],
  ['', { fingerprints: {} }, 'fingerprints'],
  ['', { fingerprints: 'x' }, 'fingerprints'],
  ['', { mac_address: 'x' }, 'mac_address'],
  ['', { mac_address: 7 }, 'mac_address'],
  ['', { ip_address: '10.0.0.256' }, 'ip_address'],
  ['', { ip_address: '10.0.0.1', hostname: ['x'] }, 'hostname'],
  ['/mac', {}, 'mac_address'],
  ['/mac', { mac_address: '' }, 'mac_address'],
  ['/mac', { mac_address: '00:1B:44:11:3A:B7:99:01' }, 'mac_address'],
  ['/ip', {}, 'ip_address'],
  ['/ip', { ip_address: 'fe80::1%eth0' }, 'ip_address'],
  ['/ip', { ip_address: '::ffff:0x7f.0.0.1' }, 'ip_address'],
  ['/ip', { ip_address: '::ffff:010.0.0.1' }, 'ip_address'],
  ['/fingerprint', {}, 'fingerprint'],
  ['/fingerprint', { fingerprint: {} }, 'fingerprint'],
  ['/fingerprint', { fingerprint: [] }, 'fingerprint'],
  ['/fingerprint', { fingerprint: {} }, 'fingerprint'],
])('POST /recognition/recognize%s %o -> 400 naming %s', async (path, body, field) => {
  const answer = await (await caller()).post(`/recognition/recognize${path}`, body)
  expect(answer.status).toBe(400)
  expect(answer.body).toMatchObject({ error: 'invalid_request', message: expect.stringContaining(field) })
})

test('POST /recognition/recognize/mac -> 403 naming the scope', async () => {
  const api = await caller(['read', 'write'])
  const { status, body } = await api.post('/recognition/recognize/mac', { mac_address: '00:00:0C:12:34:56' })
  expect({ status, body }).toEqual({
    status: 403,
    body: { error: 'forbidden', message: 'API key lacks required scope: recognition:read' },
  })
})

test('POST /recognition/recognize/mac -> 401 without a key', async () => {
  const { status } = await home()
    .as()
    .post('/recognition/recognize/mac', { mac_address: '00:00:0C:12:34:56' })
  expect(status).toBe(401)
})
