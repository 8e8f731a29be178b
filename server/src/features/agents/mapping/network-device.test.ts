import { listAssets } from '#features/assets/assets.ts'
import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { postJson, postXml } from '#test/support/endpoint-agents/agent-messages.ts'
import { listAgents } from '../agents.ts'
import { readJsonMessage } from '../messages/json-message.ts'
import { readXmlMessage } from '../messages/xml-message.ts'
import { networkDevicesIn } from './network-device.ts'
import { assetsOf, enrolled } from '../agents.fixture.ts'

const home = sharedTestApp()

/** Shortened from what FusionInventory 2.6 sent of a recorded Catalyst 3750. */
const SNMPQUERY = `<?xml version="1.0" encoding="UTF-8" ?>
<REQUEST><CONTENT><DEVICE><COMPONENTS><COMPONENT><INDEX>1</INDEX><SERIAL>LIT095000BE</SERIAL></COMPONENT></COMPONENTS>
<INFO><COMMENTS>Cisco IOS Software, C3750 Software</COMMENTS><FIRMWARE>12.2(55)SE10</FIRMWARE><ID>0</ID>
<IPS><IP>10.204.88.16</IP><IP>10.204.89.16</IP></IPS><LOCATION>Bangalore</LOCATION><MAC>00:16:c7:02:6e:80</MAC>
<MANUFACTURER>Cisco</MANUFACTURER><MODEL>Catalyst 3750-24/48</MODEL><NAME>Profiler3750</NAME><SERIAL>CAT0952N20R</SERIAL>
<TYPE>NETWORKING</TYPE></INFO><PORTS><PORT><IFNAME>Vl1</IFNAME><MAC>00:16:c7:02:6e:c0</MAC></PORT></PORTS></DEVICE>
<MODULEVERSION>4.2</MODULEVERSION></CONTENT><DEVICEID>foo</DEVICEID><QUERY>SNMPQUERY</QUERY></REQUEST>`

const discovered = (devices: string) =>
  `<?xml version="1.0" encoding="UTF-8" ?><REQUEST><CONTENT>${devices}<MODULEVERSION>4.2</MODULEVERSION>
  <PROCESSNUMBER>1</PROCESSNUMBER></CONTENT><DEVICEID>foo</DEVICEID><QUERY>NETDISCOVERY</QUERY></REQUEST>`

test('a switch that FusionInventory read by SNMP and found before is one asset, with its serial number and addresses', async () => {
  const { ctx, address } = await enrolled(home(), { tags: ['office'] })
  const headers = {
    'user-agent': 'FusionInventory-Agent_v2.6',
    'content-type': 'application/x-compress-zlib',
  }
  const found = `<DEVICE><AUTHSNMP>1</AUTHSNMP><DNSHOSTNAME>10.204.88.16</DNSHOSTNAME><IP>10.204.88.16</IP>
    <MAC>00:16:c7:02:6e:80</MAC><SNMPHOSTNAME>Profiler3750</SNMPHOSTNAME><TYPE>NETWORKING</TYPE></DEVICE>`
  expect((await postXml(address, discovered(found), headers)).status).toBe(200)
  expect((await postXml(address, SNMPQUERY, headers)).status).toBe(200)
  expect((await postXml(address, SNMPQUERY, headers)).status).toBe(200)
  expect(await assetsOf(ctx)).toMatchObject([
    { vendor: 'Cisco', model: 'Catalyst 3750-24/48', name: 'profiler3750', tags: ['office'] },
  ])
})

test('an address that merely answers is no device, nor are the beginning and the end of a discovery', async () => {
  const { ctx, address } = await enrolled(home())
  const silent = '<DEVICE><DNSHOSTNAME>10.77.0.1</DNSHOSTNAME><IP>10.77.0.1</IP></DEVICE>'
  for (const devices of ['', '<AGENT><START>1</START></AGENT>', silent, '<AGENT><END>1</END></AGENT>'])
    expect((await postXml(address, discovered(devices))).status).toBe(200)
  expect(await assetsOf(ctx)).toEqual([])
})

/** The GLPI agent is in no registry that tests may use: written after its inventory format, 1.1. */
test.each(['netinventory', 'netdiscovery', 'inventory'])(
  'a printer that a GLPI agent tells of by %s is an asset',
  async (action) => {
    const { ctx, address } = await enrolled(home())
    const device = {
      type: 'Printer',
      name: 'hp-2nd-floor',
      serial: 'VNB3C12345',
      mac: '3c:2a:f4:00:11:22',
      manufacturer: 'HP',
      model: 'LaserJet M507',
      ips: ['192.0.2.9'],
    }
    const message = {
      action,
      deviceid: 'agent-1',
      itemtype: 'Printer',
      content: { network_device: device, versionclient: 'x' },
    }
    const answer = await postJson(address, message)
    expect(await answer.json()).toMatchObject({ status: 'ok' })
    expect(await assetsOf(ctx)).toMatchObject([
      { name: 'hp-2nd-floor', vendor: 'HP', model: 'LaserJet M507' },
    ])
  },
)

test.each([
  ['one name at two sites', { name: 'Switch' }, { name: 'Switch' }],
  [
    'a serial number that means none',
    { name: 'printer-1', serial: '0000000000', mac: '3c:2a:f4:00:22:01' },
    { name: 'printer-2', serial: '0000000000', mac: '3c:2a:f4:00:22:02' },
  ],
  [
    'what is no MAC address',
    { name: 'ap-1', serial: 'PRX700123A', mac: 'unbekannt' },
    { name: 'ap-2', serial: 'PRX700124B', mac: 'unbekannt' },
  ],
])('devices of two agents stay two: %s', async (_, one, other) => {
  const { ctx, address } = await enrolled(home())
  for (const [at, device] of [one, other].entries()) {
    const message = {
      action: 'netinventory',
      deviceid: `agent-${at}`,
      itemtype: 'NetworkEquipment',
      content: { network_device: { ...device, ips: [`10.${at + 1}.0.2`] }, versionclient: 'x' },
    }
    expect((await postJson(address, message)).status).toBe(200)
  }
  expect(await assetsOf(ctx)).toHaveLength(2)
})

const discovery = (devices: readonly object[]) => ({
  action: 'netdiscovery',
  deviceid: 'agent-1',
  content: { network_device: devices },
})

const printers = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ name: `printer-${at}`, serial: `VNB3C${10_000 + at}` }))

test('of more devices than are taken at once one that is refused loses none behind it, and the agent says why', async () => {
  const { ctx, address } = await enrolled(home())
  const problem = async () => (await listAgents(ctx, { limit: 5, offset: 0 })).items[0]?.problem
  const devices = printers(450).map((it, at) => (at === 3 ? { ...it, serial: 'A1B2C'.repeat(150) } : it))
  const answer = await postJson(address, discovery(devices))
  expect(answer.status).toBe(400)
  expect(JSON.stringify(await answer.json())).toContain('identifiers[0].value')
  const { total } = await listAssets(ctx, { limit: 1, offset: 0 })
  expect(total).toBe(449)
  expect(await problem()).toMatch(/^network devices: identifiers\[0\]\.value: /)
  expect((await postJson(address, discovery(printers(1)))).status).toBe(200)
  expect(await problem()).toBe('')
})

test('what an agent finds in its network counts as a report; more than 2,000 devices at once are refused', async () => {
  const { ctx, address } = await enrolled(home())
  const agents = async () => (await listAgents(ctx, { limit: 5, offset: 0 })).items
  const tooMany = await postJson(address, discovery(printers(2_001)))
  expect(tooMany.status).toBe(400)
  expect(JSON.stringify(await tooMany.json())).toContain(
    'content.network_device: there are more than 2000 devices in one message',
  )
  expect(await agents()).toMatchObject([{ lastReportAt: null, problem: expect.stringContaining('2000') }])
  expect(await assetsOf(ctx)).toEqual([])
  expect((await postJson(address, discovery(printers(2)))).status).toBe(200)
  expect(await agents()).toMatchObject([{ lastReportAt: expect.any(String), problem: '' }])
})

test('devices of one long name stay apart by what follows it', () => {
  const seen = { seenAt: new Date(0), tags: [] }
  const name = 'n'.repeat(900)
  const keyOf = (ip: string, deviceId: string) => {
    const message = readJsonMessage(Buffer.from(JSON.stringify(discovery([{ name, ips: [ip] }]))))
    return networkDevicesIn(message, { ...seen, deviceId })[0]?.sourceKey ?? ''
  }
  const keys = [keyOf('10.1.0.2', 'a'), keyOf('10.1.0.3', 'a'), keyOf('10.1.0.2', 'b')]
  expect(new Set(keys).size).toBe(3)
  expect(keys.every((it) => it.length <= 255)).toBe(true)
  expect(keyOf('10.1.0.2', 'a')).toBe(keys[0])
})

test('a list of addresses that is too long ends with a whole address, in JSON and in XML', () => {
  const ips = Array.from({ length: 50 }, (_, at) => `2001:db8:1234:5678:9abc:def0:1234:${1_000 + at}`)
  const seen = { seenAt: new Date(0), tags: [], deviceId: 'a' }
  const inXml = `<DEVICE><INFO><NAME>core</NAME><IPS>${ips.map((it) => `<IP>${it}</IP>`).join('')}</IPS></INFO></DEVICE>`
  for (const message of [
    readJsonMessage(Buffer.from(JSON.stringify(discovery([{ name: 'core', ips }])))),
    readXmlMessage(Buffer.from(discovered(inXml))),
  ]) {
    const [device] = networkDevicesIn(message, seen)
    const told = (device?.identifiers ?? []).flatMap(({ type, value }) => (type === 'ip' ? [value] : []))
    expect(told.length).toBeGreaterThan(20)
    expect(ips).toEqual(expect.arrayContaining(told))
  }
})
