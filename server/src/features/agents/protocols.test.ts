import { deflateSync, gzipSync, inflateSync } from 'node:zlib'
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { postJson, postXml } from '#test/support/endpoint-agents/agent-messages.ts'
import { ocsInventory, runFusionInventory } from '#test/support/endpoint-agents/perl-agents.ts'
import { needs } from '#test/support/needs.ts'
import type { AgentKind } from './agent.ts'
import { listAgents } from './agents.ts'
import { assetsOf, enrolled, eventsOf, installedIn, isStoredAnywhere } from './agents.fixture.ts'

const home = sharedTestApp()
const CLIENT_TIMEOUT_MS = 240_000

const xmlOf = async (answer: Response): Promise<string> =>
  inflateSync(Buffer.from(await answer.arrayBuffer())).toString('utf8')

/** Packages that dpkg has installed, `name version`, as `dpkg -l` marks them with ii. */
const packages = (): string[] =>
  execFileSync('dpkg-query', ['-W', '-f=${db:Status-Abbrev}|${Package} ${Version}\n'], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => (line.startsWith('ii') ? [line.split('|')[1] ?? ''] : []))
    .toSorted()

const errorsIn = (log: string): string[] =>
  log.split('\n').filter((it) => it.startsWith('[error]') && !it.includes('snmpscan'))

const packagesTold = async (ctx: Ctx, kind: AgentKind): Promise<string[]> =>
  (await installedIn(ctx, kind)).map(({ name, version }) => `${name} ${version}`).toSorted()

needs(
  'root',
  'fusioninventory-agent',
  'ocsinventory-agent',
  'unshare',
  'dpkg-query',
)('agents of Debian', () => {
  test(
    'FusionInventory and OCS report their host with every package of it',
    { timeout: CLIENT_TIMEOUT_MS },
    async () => {
      const { ctx, address, secret } = await enrolled(home(), { tags: ['office'] })
      expect(errorsIn(await runFusionInventory(address, '--tag=paris'))).toEqual([])
      expect(await assetsOf(ctx)).toMatchObject([
        { os: expect.stringContaining('Debian'), tags: ['office', 'paris'] },
      ])
      expect(await packagesTold(ctx, 'fusioninventory')).toEqual(packages())
      const runOcsInventory = ocsInventory()
      expect(errorsIn(await runOcsInventory(`${address}/ocsinventory`))).toEqual([])
      expect(await packagesTold(ctx, 'ocs')).toEqual(packages())
      // without a PROLOG before it
      await runOcsInventory(`${address}/ocsinventory`, '--force')
      expect(
        (await listAgents(ctx, { limit: 5, offset: 0 })).items.map((it) => [it.kind, it.problem]),
      ).toEqual(
        expect.arrayContaining([
          ['fusioninventory', ''],
          ['ocs', ''],
        ]),
      )
      const sources = (await eventsOf(ctx, 'NEW_ASSET')).map((it) => it['source'])
      expect([...new Set(sources)]).toEqual(['agent_scan'])
      expect((await eventsOf(ctx, 'NEW_SOURCE')).map((it) => it['source_type'])).toEqual([
        'fusioninventory',
        'ocs',
      ])
      expect(await isStoredAnywhere(home(), secret)).toBe(false)
      expect(await isStoredAnywhere(home(), 'agent_scan')).toBe(true)
    },
  )
})

/** The GLPI agent is in no registry that tests may use: these bodies are written after what version 1.12 sends. */
const laptop = {
  action: 'inventory',
  deviceid: 'laptop-2026-11-22-03-46-53',
  itemtype: 'Computer',
  tag: 'paris',
  content: {
    bios: { ssn: 'B5RKKB2', smanufacturer: 'Dell Inc.', smodel: 'Latitude 5420', bversion: '1.21' },
    hardware: {
      name: 'laptop',
      uuid: '4c4c4544-0042-3510-8052-b4c04f4b4232',
      memory: 16_384,
      vmsystem: 'Physical',
    },
    operatingsystem: {
      name: 'Ubuntu',
      full_name: 'Ubuntu 22.04.3 LTS',
      version: '22.04.3 LTS',
      fqdn: 'laptop.corp.example',
      kernel_version: '5.15.0-91',
      timezone: { name: 'UTC', offset: '+0000' },
    },
    networks: [
      {
        description: 'lo',
        ipaddress: '127.0.0.1',
        mac: '00:00:00:00:00:00',
        type: 'loopback',
        virtualdev: true,
      },
      { description: 'wlp0s20f3', ipaddress: '192.0.2.41', mac: '3C:58:C2:10:20:30', virtualdev: false },
      { description: 'docker0', ipaddress: '172.17.0.1', mac: '02:42:ac:11:00:01', virtualdev: true },
    ],
    softwares: [
      { name: 'openssl', version: '3.0.2-0ubuntu1.12', from: 'deb', arch: 'amd64' },
      { name: 'firefox', version: '119.0', from: 'snap' },
    ],
    versionprovider: { perl_args: '--server https://host/t/rce_secret' },
  },
}

test('GLPI agent: PROLOG leads to JSON, contact to the inventory alone, and that to an asset', async () => {
  const { ctx, address } = await enrolled(home())
  const asked = await postXml(
    `${address}/front/inventory.php`,
    '<?xml version="1.0"?><REQUEST><DEVICEID>laptop-2026-11-22-03-46-53</DEVICEID><QUERY>PROLOG</QUERY></REQUEST>',
    { 'glpi-agent-id': '5b519daa-e627-11f1-802d-afe8ed340892', 'glpi-request-id': 'A54309AA' },
  )
  expect([await asked.json(), asked.headers.get('glpi-request-id')]).toEqual([
    { status: 'pending' },
    'A54309AA',
  ])
  const contact = { action: 'contact', deviceid: laptop.deviceid, name: 'GLPI-Agent', version: '1.11' }
  expect(await (await postJson(address, contact)).json()).toMatchObject({
    status: 'ok',
    expiration: 24,
    tasks: { inventory: { server: 'rollcall' } },
    disabled: expect.arrayContaining(['deploy', 'netdiscovery']),
  })
  expect(await (await postJson(address, laptop)).json()).toEqual({ status: 'ok', expiration: 24 })
  expect(await assetsOf(ctx)).toMatchObject([
    {
      name: 'laptop.corp.example',
      os: 'Ubuntu 22.04.3 LTS',
      vendor: 'Dell Inc.',
      model: 'Latitude 5420',
      serial: 'B5RKKB2',
      hostname: 'laptop.corp.example',
      macAddress: '3c:58:c2:10:20:30',
      ipAddress: '192.0.2.41',
      tags: ['paris'],
    },
  ])
  expect(await installedIn(ctx, 'glpi')).toEqual([
    { origin: 'snap', name: 'firefox', version: '119.0' },
    { origin: 'dpkg', name: 'openssl', version: '3.0.2-0ubuntu1.12' },
  ])
  expect(await isStoredAnywhere(home(), 'rce_secret')).toBe(false)
  expect(await isStoredAnywhere(home(), 'agent_scan')).toBe(true)
  const question = await fetch(`${address}/front/inventory.php?action=getConfig&task%5BCollect%5D=2.9`)
  expect(await question.json()).toEqual({ configValidityPeriod: 600, schedule: [] })
})

test.each(['deploy/label', 'download/1/info', 'ocsinventory/deploy/label'])(
  'OCS agent: %s is not there, and the inventory is taken after that',
  async (path) => {
    const { ctx, address } = await enrolled(home())
    expect((await fetch(`${address}/${path}`, { headers: { 'user-agent': OCS } })).status).toBe(404)
    const content = '<HARDWARE><NAME>pc</NAME></HARDWARE>'
    expect((await postXml(address, inventoryOf(content), { 'user-agent': OCS })).status).toBe(200)
    expect(await assetsOf(ctx)).toHaveLength(1)
  },
)
const OCS = 'OCS-NG_unified_unix_agent_v2.10.0'

test('GLPI agent: a partial inventory changes what it has and removes nothing else', async () => {
  const { ctx, address } = await enrolled(home())
  await postJson(address, laptop)
  const { bios, hardware, softwares } = laptop.content
  const partial = { ...laptop, partial: true, content: { bios, hardware: { ...hardware, memory: 8_192 } } }
  expect((await postJson(address, partial)).status).toBe(200)
  expect(await assetsOf(ctx)).toMatchObject([{ macAddress: '3c:58:c2:10:20:30', os: 'Ubuntu 22.04.3 LTS' }])
  expect(await installedIn(ctx, 'glpi')).toHaveLength(2)
  // the last snap is gone: the category is there, so the list is whole
  const removed = { ...laptop, partial: true, content: { bios, hardware, softwares: softwares.slice(0, 1) } }
  await postJson(address, removed)
  expect((await installedIn(ctx, 'glpi')).map(({ name }) => name)).toEqual(['openssl'])
  await postJson(address, { ...removed, content: { bios, hardware, softwares: [] } })
  expect(await installedIn(ctx, 'glpi')).toEqual([])
})

test('a GLPI agent that speaks XML, and an OCS agent on Windows', async () => {
  const { ctx, address } = await enrolled(home())
  const windows = `<?xml version="1.0" encoding="UTF-8" ?><REQUEST><DEVICEID>PC-9-2026-01-01-10-00-00</DEVICEID>
    <CONTENT><HARDWARE><NAME>PC-9</NAME><WORKGROUP>corp.example</WORKGROUP><OSNAME>Microsoft Windows 11 Pro</OSNAME>
    <OSVERSION>10.0.22631</OSVERSION><VMSYSTEM>VMware</VMSYSTEM></HARDWARE><BIOS><SSN>System Serial Number</SSN></BIOS>
    <NETWORKS><DESCRIPTION>Intel(R) &amp; Co</DESCRIPTION><MACADDR>00:50:56:12:34:56</MACADDR><IPADDRESS>192.0.2.9</IPADDRESS></NETWORKS>
    <SOFTWARES><NAME>7-Zip 23.01 (x64)</NAME><VERSION>23.01</VERSION><PUBLISHER>Igor Pavlov</PUBLISHER><INSTALLDATE>1970-00-01</INSTALLDATE></SOFTWARES>
    <ACCOUNTINFO><KEYNAME>TAG</KEYNAME><KEYVALUE>rome</KEYVALUE></ACCOUNTINFO></CONTENT><QUERY>INVENTORY</QUERY></REQUEST>`
  const taken = await postXml(address, windows, { 'user-agent': 'OCS-NG_WINDOWS_AGENT_v2.11.0.1' })
  expect(await xmlOf(taken)).toContain('<RESPONSE>NO_ACCOUNT_UPDATE</RESPONSE>')
  const glpi = await postXml(address, windows.replaceAll('PC-9', 'PC-8').replace('34:56', '34:57'), {
    'user-agent': 'GLPI-Agent_v1.4',
    'content-type': 'application/x-compress-zlib',
  })
  expect(await xmlOf(glpi)).toContain('<REPLY></REPLY>')
  expect((await assetsOf(ctx)).map((it) => [it.name, it.hostname, it.assetType, it.serial, it.tags])).toEqual(
    [
      ['pc-8.corp.example', 'pc-8.corp.example', 'virtual_machine', '', ['rome']],
      ['pc-9.corp.example', 'pc-9.corp.example', 'virtual_machine', '', ['rome']],
    ],
  )
  expect(await installedIn(ctx, 'ocs')).toContainEqual({
    origin: 'windows',
    name: '7-Zip 23.01 (x64)',
    version: '23.01',
  })
})

test('agents of two kinds on one host are one asset, by its serial number', async () => {
  const { ctx, address } = await enrolled(home())
  await postJson(address, laptop)
  const content =
    '<HARDWARE><NAME>laptop</NAME></HARDWARE><BIOS><SSN>b5rkkb2</SSN><SMANUFACTURER>Dell</SMANUFACTURER></BIOS>'
  await postXml(address, inventoryOf(content))
  expect(await assetsOf(ctx)).toHaveLength(1)
  expect((await listAgents(ctx, { limit: 5, offset: 0 })).total).toBe(2)
})

const BOMB = deflateSync(Buffer.alloc(200_000_000), { level: 9 })
const rows = (n: number) => `<SOFTWARES><NAME>a</NAME></SOFTWARES>`.repeat(n)
const inventoryOf = (content: string) =>
  `<REQUEST><DEVICEID>a</DEVICEID><QUERY>INVENTORY</QUERY><CONTENT>${content}</CONTENT></REQUEST>`

test.each([
  ['a bomb', BOMB, 413, 'larger than'],
  ['a body that ends early', deflateSync('x'.repeat(1_000)).subarray(0, 12), 400, 'whole zlib'],
  ['more than is read', Buffer.alloc(9_000_000, 'a'), 413, 'larger than'],
  ['nothing', Buffer.alloc(0), 400, 'empty'],
  ['an entity', gzipSync('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'), 400, 'document type'],
  ['a reference to an entity', Buffer.from('<REQUEST>&b;</REQUEST>'), 400, 'well-formed'],
  ['half an element', Buffer.from('<REQUEST><QUERY>'), 400, 'well-formed'],
  ['too many rows', Buffer.from(inventoryOf(rows(60_000))), 400, 'CONTENT.SOFTWARES'],
  ['too many tags', Buffer.from(inventoryOf(rows(200_000))), 400, 'tags'],
  [
    'another query',
    Buffer.from('<REQUEST><DEVICEID>a</DEVICEID><QUERY>DEPLOY</QUERY></REQUEST>'),
    400,
    'QUERY',
  ],
  ['no device', Buffer.from('<REQUEST><QUERY>PROLOG</QUERY></REQUEST>'), 400, 'DEVICEID'],
  ['another action', Buffer.from('{"action":"get_params","deviceid":"a"}'), 400, 'action'],
  ['half of JSON', Buffer.from('{"action":'), 400, 'JSON'],
  ['no content', Buffer.from('{"action":"inventory","deviceid":"a"}'), 400, 'content'],
])('%s is refused', async (_, body, status, words) => {
  const { ctx, address } = await enrolled(home())
  const before = process.memoryUsage().rss
  const answer = await fetch(address, { method: 'POST', body: new Uint8Array(body) })
  expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining(words)])
  expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000)
  expect((await listAgents(ctx, { limit: 5, offset: 0 })).total).toBe(0)
})

test('control characters and strange names of fields do no harm; what the intake rejects is told and noted', async () => {
  const { ctx, address } = await enrolled(home())
  const strange = {
    ...laptop,
    content: { ...laptop.content, hardware: { name: 'a\u0000\u0007b', __proto__: {} } },
  }
  const text = JSON.stringify(strange).replace('"memory"', '"__proto__"')
  const taken = await fetch(address, { method: 'POST', body: text })
  expect(taken.status).toBe(200)
  expect((await assetsOf(ctx)).map(({ name }) => name)).toEqual(['a b'])
})
