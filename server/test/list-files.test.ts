import { beforeAll, describe, expect, test } from 'vitest'
import { agent, seen } from '#features/assets/observations.fixture.ts'
import { csvRecords } from '#features/imports/parsing/csv-records.ts'
import {
  createAsset,
  createMatches,
  createSoftware,
  install,
  sync,
} from '#features/vulnerabilities/findings.fixture.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { listFile } from '#platform/conditions/lists/list-file.ts'
import { sharedTestApp } from './support/app/test-app.ts'
import { believed, headersOf, inTenant } from './support/http/graphql-client.ts'
import { addListed, FRAMEWORK } from './support/listed-subjects.ts'

/** Lists of the app as CSV files. */

const shared = sharedTestApp({ contextOf: believed })
let ctx: Ctx
beforeAll(async () => {
  ctx = await shared().newTenant()
  await addListed(ctx)
  const [lib, zlib] = [
    await createSoftware(ctx, { name: 'alib', version: '1.9' }),
    await createSoftware(ctx, { name: 'zlib, "old"' }),
  ]
  await createMatches(ctx, lib, [{ cveId: 'CVE-2024-0001', score: 9.8 }])
  await createMatches(ctx, zlib, [{ cveId: 'CVE-2024-0002', score: 5 }])
  const id = await createAsset(ctx, 'Beta')
  await install(ctx, id, [lib, zlib])
  await sync(ctx, id)
  const items = ['curl', 'zsh'].map((name) => ({ origin: 'dpkg' as const, name, version: '7.88' }))
  await submit(ctx, agent, [seen('a', { serial: 'SN-CSV' }, { software: { complete: ['dpkg'], items } })])
})

const fetched = (file: string, query = '', permissions?: readonly string[], of: Ctx = ctx) =>
  shared()
    .as()
    .send('GET', inTenant(`/files/${file}${query}`), { headers: headersOf(of, permissions) })

/** One column of the file. */
async function columnOf(file: string, name: string, query: Readonly<Record<string, string>> = {}) {
  const { text } = await fetched(file, `?${new URLSearchParams(query).toString()}`)
  const [head = [], ...rows] = await cellsOf(text)
  return rows.map((row) => row[head.indexOf(name)])
}

async function* nothing(): AsyncIterable<Buffer> {}

async function cellsOf(text: string): Promise<(readonly string[])[]> {
  const content = (async function* () {
    yield Buffer.from(text)
  })()
  const rows: (readonly string[])[] = []
  for await (const records of csvRecords(content))
    rows.push(...records.map((it) => ('fault' in it ? [] : it.cells)))
  return rows
}

const FILES = [
  ['findings.csv', 'vulnerabilities:read', 'cveId'],
  ['software.csv', 'assets:read', 'name'],
  ['checks.csv', 'compliance:read', 'title'],
  ['controls.csv', 'compliance:read', 'id'],
  ['partners.csv', 'partners:read', 'name'],
  ['agents.csv', 'agents:read', 'name'],
  ['cloud-resources.csv', 'cloud:read', 'name'],
  ['scans.csv', 'scans:read', 'targetAddress'],
  ['discovery-runs.csv', 'scans:read', 'name'],
  ['flow-runs.csv', 'flows:read', 'flowName'],
] as const

const OWN = ['CVE-2024-0001', 'curl', 'zenith', 'Web-1', 'Bucket', 'Db-1.example.com', 'OSLO', 'Café']

describe.each(FILES)('%s', (file, permission, column) => {
  test('is fetched by who may read the list, of their organisation alone', async () => {
    const answer = await fetched(file, '', [permission])
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/csv', 'content-disposition': `attachment; filename="${file}"` },
    })
    expect((await columnOf(file, column)).length).toBeGreaterThan(1)
    expect((await fetched(file, '', ['webhooks:read'])).status).toBe(403)
    const other = await fetched(file, '', [permission], await shared().newTenant())
    for (const own of OWN) expect(other.text).not.toContain(own)
  })

  test.each([
    ['?where=colour%20%3D%20red', 'where'],
    ['?sort=colour', 'sort'],
    ['?sort=name&sort=name', 'sort'],
    ['?colour=red', 'colour'],
    ['?constructor=red', 'constructor'],
    [`?sort=${'x'.repeat(101)}`, 'sort'],
  ])('with %s is refused, naming the parameter', async (query, field) => {
    const answer = await fetched(file, query)
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(`${field}: `) } })
  })
})

test('a file has what the condition finds, in the order that is asked for', async () => {
  expect(await columnOf('findings.csv', 'cveId')).toEqual(['CVE-2024-0001', 'CVE-2024-0002'])
  expect(await columnOf('findings.csv', 'software', { sort: '-software' })).toEqual([
    expect.stringContaining('zlib, "old"'),
    'alib 1.9',
  ])
  expect(await columnOf('findings.csv', 'assetName', { where: 'severity = critical' })).toEqual(['Beta'])
  expect(await columnOf('findings.csv', 'cveId', { where: 'status = resolved' })).toEqual([])
  expect(await columnOf('software.csv', 'assets', { where: 'name = curl' })).toEqual(['1'])
  expect(await columnOf('partners.csv', 'name', { where: 'api = no' })).toEqual(['Åse  Support'])
  expect(await columnOf('partners.csv', 'slug', { sort: '-slug' })).toEqual(['zenith', 'ase'])
  expect(await columnOf('checks.csv', 'controlIds', { where: 'is_own = yes' })).toEqual(['GV.PO-01'])
  const failing = { where: `framework = ${FRAMEWORK} and status = fail` }
  expect(await columnOf('controls.csv', 'id', failing)).toContain('GV.PO-01')
  const states = await columnOf('agents.csv', 'state', { where: 'kind = agent' })
  expect(new Set(states)).toEqual(new Set(['pending', 'reporting', 'silent']))
  expect(await columnOf('agents.csv', 'why', { where: 'name = "web-2"' })).toEqual([
    'its report was refused: Too  LARGE',
  ])
  expect(await columnOf('cloud-resources.csv', 'nativeId', { where: 'type = storage' })).toEqual([
    '/Subscriptions/1/Bucket',
  ])
  expect(await columnOf('cloud-resources.csv', 'tags', { where: 'type = storage' })).toEqual([
    'env:test;Owner:Åse',
  ])
  expect(await columnOf('cloud-resources.csv', 'cost')).toEqual(['', '', ''])
  expect(await columnOf('scans.csv', 'message', { where: 'status = failed' })).toEqual(['Permission denied'])
  expect(await columnOf('scans.csv', 'targetAddress', { sort: '-hosts' })).toEqual([
    '10.0.0.0/24',
    expect.any(String),
    expect.any(String),
  ])
  expect(await columnOf('discovery-runs.csv', 'newHosts', { where: 'name : oslo' })).toEqual(['', '2'])
  expect(
    await columnOf('flow-runs.csv', 'reason', { where: 'asset.name : acme and status = failed' }),
  ).toEqual(['Timed OUT'])
})

test('what is beyond ten thousand rows is left out, and a header says so', async () => {
  const list = async (_: Ctx, { limit }: { readonly limit: number }) => ({
    items: Array.from({ length: limit }, (__, a) => ({ a })),
    total: limit + 1,
  })
  const { handle } = listFile({ name: 'a.csv', columns: ['a'], list })
  const reply = await handle(ctx, { query: {}, content: nothing() })
  expect(reply.headers).toMatchObject({ 'x-export-truncated': 'true' })
  const content = expect.stringMatching(/^a\r\n0\r\n[^]*\r\n9999\r\n$/)
  expect(reply.file).toMatchObject({ mediaType: 'text/csv', content })
})
