import { expect, test } from 'vitest'
import { nvdUpstream } from './nvd.ts'
import { loadedPart, NOW, planned } from './planned.fixture.ts'

const DAY_MS = 86_400_000
const API = 'https://services.nvd.nist.gov/rest/json/cves/2.0'
const sum = (digit: number): string => String(digit % 10).repeat(64)
const YEARS = Array.from({ length: 25 }, (_, n) => 2002 + n)
const META = Object.fromEntries(
  [...YEARS, 'modified'].map((part, n) => [
    `nvdcve-2.0-${part}.meta`,
    `lastModifiedDate:2026-11-25T03:00:00-05:00\r\nsize:1\r\nsha256:${sum(n).toUpperCase()}\r\n`,
  ]),
)
/** All years, as they were loaded so many days ago. */
const loadedBefore = (days: number) =>
  YEARS.map((year, n) =>
    loadedPart(String(year), {
      checksum: sum(n),
      syncedAt: new Date(NOW.getTime() - days * DAY_MS),
    }),
  )

test('at first it is each year until this one, with its checksum, and what changed of late', async () => {
  const plan = await planned(nvdUpstream, { files: META })
  expect(plan.map(({ part, isWhole }) => [part, isWhole])).toEqual([
    ...YEARS.map((year) => [String(year), true]),
    ['modified', false],
  ])
  expect(plan[0]).toEqual({
    part: '2002',
    urls: [`${nvdUpstream.base}nvdcve-2.0-2002.json.gz`],
    isWhole: true,
    sha256: sum(0),
  })
  // in January it is not there yet
  expect(plan.filter((it) => it.mayBeMissing).map(({ part }) => part)).toEqual(['2026'])
})

test('a file whose checksum is that of the one before is not fetched again', async () => {
  const changed = { ...META, 'nvdcve-2.0-modified.meta': `sha256:${sum(7)}` }
  const parts = [...loadedBefore(1), loadedPart('modified', { checksum: sum(25) })]
  expect(await planned(nvdUpstream, { files: META, parts })).toEqual([])
  expect(await planned(nvdUpstream, { files: changed, parts })).toMatchObject([{ part: 'modified' }])
})

test('a year that was never loaded is fetched, whatever else is there', async () => {
  const parts = loadedBefore(1).filter(([part]) => part !== '2014')
  const plan = await planned(nvdUpstream, { files: META, parts })
  expect(plan.map(({ part }) => part)).toEqual(['2014', 'modified'])
})

test.each([
  ['7 days', 7, false],
  ['more than 7 days', 7.1, true],
])(
  'after a pause of %s it is %s that the API is asked for what the file of changes lacks',
  async (_, days, isAsked) => {
    const asked: string[] = []
    const files = new Proxy<Record<string, string>>(META, {
      get(known, url: string) {
        if (url.startsWith(API)) asked.push(url)
        return url.startsWith(API) ? '{"totalResults":2001}' : known[url]
      },
    })
    const plan = await planned(nvdUpstream, { files, parts: loadedBefore(days) })
    const ofApi = plan.filter(({ part }) => part === 'api')
    expect([asked.length > 0, plan.at(-1)?.part]).toEqual([isAsked, 'modified'])
    expect(ofApi.map(({ urls: [url] }) => new URL(url ?? '').searchParams.get('startIndex'))).toEqual(
      isAsked ? ['0', '2000'] : [],
    )
  },
)

test('a longer pause is asked for in parts that the API allows, slower without a key', async () => {
  const files = new Proxy<Record<string, string>>(META, {
    get: (known, url: string) => (url.startsWith(API) ? '{"totalResults": 1}' : known[url]),
  })
  const parts = loadedBefore(200)
  const ofApi = async (apiKey?: string) => {
    const plan = await planned(nvdUpstream, { files, parts, ...(apiKey !== undefined && { apiKey }) })
    return plan.filter(({ part }) => part === 'api')
  }
  const found = await ofApi()
  const spans = found.map(({ urls: [url] }) => {
    const { searchParams } = new URL(url ?? '')
    return ['lastModStartDate', 'lastModEndDate'].map((name) => Date.parse(searchParams.get(name) ?? ''))
  })
  const [begin, end] = [NOW.getTime() - 200 * DAY_MS, NOW.getTime()]
  expect(spans).toEqual([
    [begin, begin + 119 * DAY_MS],
    [begin + 119 * DAY_MS, end],
  ])
  expect(found.map((it) => Date.parse(it.position ?? ''))).toEqual(spans.map(([, until]) => until))
  expect(found).toMatchObject([{ isWhole: false, headers: {}, paceMs: 6_500 }, { isWhole: false }])
  expect(await ofApi('secret')).toMatchObject([{ headers: { apiKey: 'secret' }, paceMs: 700 }, {}])
})

test('a mirror has no API, so after a pause its years are fetched again', async () => {
  const parts = loadedBefore(8).map(([part, known]) => loadedPart(part, { ...known, checksum: null }))
  const base = 'https://mirror.example.org/nvd/'
  const plan = await planned(nvdUpstream, { files: META, parts, base, isMirrored: true })
  expect(plan.map(({ part }) => part)).toEqual([...YEARS.map(String), 'modified'])
  expect(plan[0]?.urls).toEqual([`${base}nvdcve-2.0-2002.json.gz`])
})
