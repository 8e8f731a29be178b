import { beforeAll, expect, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { testApp, type TestApp } from '#test/support/app/test-app.ts'
import { listAssets } from '../assets.ts'
import type { AssetQuery } from './asset-query.ts'
import { queryAssets, countAssets } from './filter-and-sort.ts'
import type { Observation } from '../observation.ts'
import { addTags } from '../editing/tags.ts'

// What the app's search finds, and that the API's search is not wider for it.

const page = { limit: 5, offset: 0 }
const csv = { kind: 'csv', name: 'list' }
let home: TestApp
let ctx: Ctx

const closers: (() => Promise<void>)[] = []
beforeAll(async () => {
  home = await testApp({ atEnd: (close) => void closers.push(close) })
  ctx = await home.newTenant()
  await submit(ctx, csv, [
    thing('fileserver', ['10.1.2.3', '192.168.7.1'], {
      os: 'Windows Server 2019 Standard',
      vendor: 'Dell Inc.',
      model: 'PowerEdge R740',
      tags: ['Rack-B', 'prod_eu'],
      macs: ['00:1b:44:11:3a:b7', '00:1b:44:11:3a:b8'],
    }),
    thing('printer', ['10.1.3.9'], {
      os: '',
      vendor: 'Brother',
      model: 'HL-L2350DW',
      macs: ['3c:2a:f4:00:00:01'],
    }),
    thing('laptop', ['2001:db8::17'], { os: 'Debian GNU/Linux 12', model: 'Latitude 5420', macs: [] }),
  ])
  return async () => {
    for (const close of closers) await close()
  }
})

interface Told {
  readonly os?: string
  readonly vendor?: string
  readonly model?: string
  readonly tags?: readonly string[]
  readonly macs: readonly string[]
}

const thing = (hostname: string, ips: readonly string[], { macs, ...told }: Told): Observation => ({
  sourceKey: hostname,
  seenAt: new Date(Date.UTC(2026, 0, 1)),
  identifiers: [
    { type: 'hostname', value: hostname },
    ...ips.map((value) => ({ type: 'ip', value }) as const),
    ...macs.map((value) => ({ type: 'mac', value }) as const),
  ],
  ...told,
})

async function found(search: string, more: AssetQuery = {}): Promise<string[]> {
  const { items, total } = await queryAssets(ctx, page, { search, ...more })
  expect(total).toBe(items.length)
  return items.map(({ hostname }) => hostname).toSorted()
}

test.each([
  ['00-1B-44-11-3A-B7', ['fileserver']],
  ['001b.4411.3ab8', ['fileserver']],
  ['001b44113ab8', ['fileserver']],
  ['3c:2a', ['printer']],
  ['2a-f4-00', ['printer']],
  ['windows server', ['fileserver']],
  ['DEBIAN', ['laptop']],
  ['gnu/linux', ['laptop']],
  ['poweredge', ['fileserver']],
  ['dell inc. power', ['fileserver']],
  ['latitude 5420', ['laptop']],
  ['hl-l2350', ['printer']],
  ['rack-b', ['fileserver']],
  ['PROD_EU', ['fileserver']],
  ['10.1.0.0/16', ['fileserver', 'printer']],
  ['10.1.3.0/24', ['printer']],
  ['192.168.0.0/16', ['fileserver']],
  ['2001:db8::/32', ['laptop']],
  ['0.0.0.0/0', ['fileserver', 'printer']],
  ['172.16.0.0/12', []],
  ['10.1.2.3', ['fileserver']],
  ['%', []],
  ['\\', []],
  ['nothing of this kind', []],
])('%s finds %j', async (search, wanted) => {
  expect(await found(search)).toEqual(wanted)
  expect(await found(search, { sort: 'name', direction: 'asc' })).toEqual(wanted)
})

test('other filters narrow what is found, and blanks are no search', async () => {
  expect(await found('10.0.0.0/8', { tag: 'Rack-B' })).toEqual(['fileserver'])
  expect(await found('debian', { tag: 'Rack-B' })).toEqual([])
  expect(await countAssets(ctx, { search: '  ' })).toBe(3)
})

test('tags that people give are found at once, those taken away no longer', async () => {
  const [laptop] = (await queryAssets(ctx, page, { search: 'latitude' })).items
  await addTags(ctx, { assetIds: [laptop?.id ?? ''], tags: ['on-loan'] })
  expect(await found('on-loan')).toEqual(['laptop'])
})

test.each(['00-1B-44-11-3A-B7', '001b44113ab7', 'windows', 'poweredge', 'rack-b', '10.1.0.0/16'])(
  'the API looks for %s in id, host name, address and serial alone',
  async (search) => {
    expect(await listAssets(ctx, page, { search })).toEqual({ items: [], total: 0 })
  },
)

test('another tenant finds nothing of it', async () => {
  const other = await home.newTenant()
  for (const search of ['windows', '00:1b:44:11:3a:b7', '10.1.0.0/16', 'rack-b'])
    expect(await queryAssets(other, page, { search })).toMatchObject({ items: [], total: 0 })
})

test('what many have is found in every order and counted like what few have', async () => {
  const many = await home.newTenant()
  const things = Array.from({ length: 4_500 }, (_, n) =>
    thing(`pc${n}`, [`10.${n % 2}.${n >> 8}.${n & 255}`], {
      os: n % 3 === 0 ? 'Windows 11' : 'Ubuntu 24.04',
      macs: [],
    }),
  )
  for (let at = 0; at < things.length; at += 900) await submit(many, csv, things.slice(at, at + 900))
  const ask = async (query: AssetQuery) => {
    const { items, total } = await queryAssets(many, { limit: 2, offset: 1 }, query)
    return [total, ...items.map(({ hostname }) => hostname)]
  }
  const byName = { sort: 'ipAddress', direction: 'asc' } as const
  expect(await ask({ search: 'ubuntu', ...byName })).toEqual([3_000, 'pc4', 'pc8'])
  expect(await ask({ search: '10.0.0.0/8', ...byName })).toEqual([4_500, 'pc2', 'pc4'])
  expect(await ask({ search: '10.1.0.0/16', ...byName })).toEqual([2_250, 'pc3', 'pc5'])
  expect(await ask({ search: 'ubuntu', type: 'device', ...byName })).toEqual([3_000, 'pc4', 'pc8'])
  expect(await ask({ search: 'ubuntu', type: 'user', ...byName })).toEqual([0])
})
