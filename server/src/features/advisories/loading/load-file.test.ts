import { expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { changesSince, rulesFor } from '../advisories.ts'
import { epssScoresOf, kevEntriesOf, lifecycles } from '../catalogue/catalogue-store.ts'
import type { FeedName } from '../formats/all.ts'
import { FOO_BAR, lines, load, osv } from './loading.fixture.ts'

const [KEPT, GONE] = ['CVE-2024-0001', 'CVE-2024-0002'] as const
const kev = (...ids: string[]) => ({
  vulnerabilities: ids.map((cveID) => ({
    cveID,
    dateAdded: '2024-02-03',
    knownRansomwareCampaignUse: 'Known',
  })),
})
const epss = (...ids: string[]) =>
  `#model\ncve,epss,percentile\n${ids.map((it) => `${it},0.25,0.9\n`).join('')}`
const endoflife = (...names: string[]) => ({
  result: names.map((name) => ({
    name,
    label: name,
    identifiers: [],
    releases: [{ name: '1', isEol: true }],
  })),
})
const ids = async (found: Promise<readonly { cveId: string }[]>) => (await found).map(({ cveId }) => cveId)

interface Feed {
  readonly feed: FeedName
  readonly all: unknown
  readonly fewer: unknown
  readonly held: (ctx: Ctx) => Promise<readonly string[]>
  readonly changed: readonly string[]
}

test.each<Feed>([
  {
    feed: 'kev',
    all: kev(KEPT, GONE),
    fewer: kev(KEPT),
    held: (ctx) => ids(kevEntriesOf(ctx, [KEPT, GONE])),
    changed: [GONE],
  },
  {
    feed: 'epss',
    all: epss(KEPT, GONE),
    fewer: epss(KEPT),
    held: (ctx) => ids(epssScoresOf(ctx, [KEPT, GONE])),
    changed: [GONE],
  },
  {
    feed: 'endoflife',
    all: endoflife(KEPT, GONE),
    fewer: endoflife(KEPT),
    held: async (ctx) => (await lifecycles(ctx)).map(({ product }) => product),
    changed: [],
  },
])('what a whole file of $feed no longer holds is gone, and said to have changed', async (it) => {
  const { system } = (await testApp()).runtime
  expect(await load(system, it.feed, it.all)).toMatchObject({ records: 2, changed: 2, removed: 0 })
  const { generation } = await changesSince(system, 0)
  expect(await load(system, it.feed, it.fewer, { isWhole: false })).toMatchObject({ changed: 0, removed: 0 })
  expect((await it.held(system)).toSorted()).toEqual([KEPT, GONE])
  expect(await load(system, it.feed, it.fewer)).toMatchObject({ records: 1, changed: 0, removed: 1 })
  expect(await it.held(system)).toEqual([KEPT])
  expect(await changesSince(system, generation)).toMatchObject({ packages: [], cveIds: it.changed })
})

const fixedIn = async (ctx: Ctx) =>
  new Map((await rulesFor(ctx, [FOO_BAR])).map((it) => [it.advisoryId, it.rules[0]?.ranges[0]?.fixed]))

test('a record belongs to the part that told it last, and a file that only adds leaves it there', async () => {
  const { system } = (await testApp()).runtime
  await load(system, 'osv', lines(osv('A-1', '1')), { part: 'PyPI' })
  await load(system, 'osv', lines(osv('A-1', '2'), osv('A-2', '2')), { part: 'npm' })
  await load(system, 'osv', lines(osv('A-3', '3')), { part: 'PyPI' })
  await load(system, 'osv', lines(osv('A-1', '4')), { part: 'loaded', isWhole: false })
  expect(Object.fromEntries(await fixedIn(system))).toEqual({ 'A-1': '4', 'A-2': '2', 'A-3': '3' })
  await load(system, 'osv', lines(osv('A-2', '2')), { part: 'npm' })
  expect(Object.fromEntries(await fixedIn(system))).toEqual({ 'A-2': '2', 'A-3': '3' })
})

test('of a record that stands twice in a file the last counts, also where it is as it was', async () => {
  const { system } = (await testApp()).runtime
  // more than are staged at once
  const others = Array.from({ length: 1_000 }, (_, at) => osv(`B-${at}`, '1'))
  await load(system, 'osv', lines(osv('A-1', '1'), ...others))
  expect(await load(system, 'osv', lines(osv('A-1', '2'), ...others, osv('A-1', '1')))).toMatchObject({
    changed: 0,
  })
  expect((await fixedIn(system)).get('A-1')).toBe('1')
  expect(await load(system, 'osv', lines(osv('A-1', '1'), ...others, osv('A-1', '2')))).toMatchObject({
    changed: 1,
  })
  expect((await fixedIn(system)).get('A-1')).toBe('2')
})

test('a small file may lose most of its records', async () => {
  const { system } = (await testApp()).runtime
  await load(system, 'osv', lines(...Array.from({ length: 99 }, (_, at) => osv(`A-${at}`, '1'))))
  expect(await load(system, 'osv', lines(osv('A-1', '1')))).toMatchObject({ removed: 98 })
})

test('a file that only adds may have no records, and is not what a whole file is compared with', async () => {
  const { system } = (await testApp()).runtime
  const many = Array.from({ length: 100 }, (_, n) => `CVE-2024-${1000 + n}`)
  await load(system, 'kev', kev(...many))
  expect(await load(system, 'kev', kev(), { isWhole: false })).toMatchObject({ records: 0, removed: 0 })
  expect(await ids(kevEntriesOf(system, many))).toHaveLength(100)
  await expect(load(system, 'kev', kev(...many.slice(60)))).rejects.toThrow('40 records where there were 100')
  await expect(load(system, 'kev', kev())).rejects.toThrow('the file has no records')
})
