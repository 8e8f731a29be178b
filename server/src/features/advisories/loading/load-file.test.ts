import { describe, expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { changesSince, rulesFor } from '../advisories.ts'
import { epssScoresOf, kevEntriesOf, lifecycles } from '../catalogue/catalogue-store.ts'
import type { FeedName } from '../formats/all.ts'
import { samples } from '../formats/samples.fixture.ts'
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

describe('a record that stands in several files of a feed', () => {
  const npm = (fixed: string) => ({
    package: { ecosystem: 'npm', name: 'foo' },
    ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed }] }],
  })
  const both = osv('A-1', '1', { affected: [...osv('', '1').affected, npm('7')] })
  const other = osv('A-2', '2')
  const dated = (fixed: string, modified: string, more: object = {}) =>
    osv('A-1', fixed, { modified, ...more })
  const known = async (ctx: Ctx) => {
    const found = await rulesFor(ctx, [FOO_BAR, { ecosystem: 'npm', package: 'foo' }])
    return found.map((it) => `${it.ecosystem} ${it.advisoryId} ${it.rules[0]?.ranges[0]?.fixed}`)
  }

  test.each([
    ['the first', 'PyPI', 'npm'],
    ['the second', 'npm', 'PyPI'],
  ])(
    'stays with all its packages when %s no longer holds it, and goes with the last',
    async (_, left, held) => {
      const { system } = (await testApp()).runtime
      for (const part of ['PyPI', 'npm']) await load(system, 'osv', lines(both, other), { part })
      expect(await load(system, 'osv', lines(other), { part: left })).toMatchObject({ removed: 0 })
      expect(await known(system)).toEqual(['PyPI A-1 1', 'PyPI A-2 2', 'npm A-1 7'])
      const { generation } = await changesSince(system, 0)
      expect(await load(system, 'osv', lines(other), { part: held })).toMatchObject({ removed: 1 })
      expect(await known(system)).toEqual(['PyPI A-2 2'])
      expect((await changesSince(system, generation)).packages).toHaveLength(2)
    },
  )

  test('is held by a file that told it among its changes', async () => {
    const { system } = (await testApp()).runtime
    await load(system, 'osv', lines(both), { part: 'PyPI' })
    await load(system, 'osv', lines(other), { part: 'npm' })
    await load(system, 'osv', lines(both), { part: 'npm', isWhole: false })
    await load(system, 'osv', lines(other), { part: 'PyPI' })
    expect(await known(system)).toEqual(['PyPI A-1 1', 'PyPI A-2 2', 'npm A-1 7'])
  })

  test('is not held by a file that only ever adds', async () => {
    const { system } = (await testApp()).runtime
    await load(system, 'osv', lines(both, other), { part: 'PyPI' })
    await load(system, 'osv', lines(osv('A-1', '4'), osv('A-3', '3')), { part: 'loaded', isWhole: false })
    await load(system, 'osv', lines(other), { part: 'PyPI' })
    expect(await known(system)).toEqual(['PyPI A-2 2', 'PyPI A-3 3'])
    await load(system, 'osv', lines(other, osv('A-3', '3')), { part: 'npm' })
    await load(system, 'osv', lines(other), { part: 'npm' })
    expect(await known(system)).toEqual(['PyPI A-2 2'])
  })

  test('is as the file says that has the newer version, whichever is read last', async () => {
    const { system } = (await testApp()).runtime
    const [older, newer] = [dated('1', '2024-01-01T00:00:00Z'), dated('2', '2024-01-02T00:00:00Z')]
    await load(system, 'osv', lines(older), { part: 'PyPI' })
    await load(system, 'osv', lines(newer), { part: 'npm' })
    expect(await load(system, 'osv', lines(older, other), { part: 'PyPI' })).toMatchObject({ changed: 1 })
    expect(await known(system)).toEqual(['PyPI A-1 2', 'PyPI A-2 2'])
  })

  test('stays withdrawn while another file tells it as it was before', async () => {
    const { system } = (await testApp()).runtime
    const before = dated('1', '2024-01-01T00:00:00Z')
    const withdrawn = dated('1', '2024-01-02T00:00:00Z', { withdrawn: '2024-01-02T00:00:00Z' })
    for (const part of ['PyPI', 'npm']) await load(system, 'osv', lines(before), { part })
    await load(system, 'osv', lines(withdrawn), { part: 'npm' })
    await load(system, 'osv', lines(before), { part: 'PyPI' })
    expect(await known(system)).toEqual([])
    await load(system, 'osv', lines(other), { part: 'npm' })
    expect(await known(system)).toEqual(['PyPI A-2 2'])
  })

  test('may be set back by the only file that holds it', async () => {
    const { system } = (await testApp()).runtime
    for (const day of ['2024-01-02', '2024-01-01'])
      await load(system, 'osv', lines(dated(day, `${day}T00:00:00Z`)), { part: 'PyPI' })
    expect(await known(system)).toEqual(['PyPI A-1 2024-01-01'])
  })
})

test('files of SUSE speak of the same vulnerability, each of its own products', async () => {
  const { system } = (await testApp()).runtime
  const { text } = samples.suse
  const PRODUCT = 'Server 15'
  const others = text.replaceAll(PRODUCT, 'Server 12')
  for (const [part, content] of [
    ['server.15.xml', text],
    ['server.12.xml', others],
  ] as const)
    await load(system, 'suse', content, { part, name: part })
  const packages = ['15', '12'].map((it) => ({
    ecosystem: `SUSE:Linux Enterprise Server ${it}`,
    package: 'kernel-default',
  }))
  expect(await rulesFor(system, packages)).toHaveLength(2)
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
