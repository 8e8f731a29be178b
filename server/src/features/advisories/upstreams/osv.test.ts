import { expect, test } from 'vitest'
import { osvUpstream } from './osv.ts'
import { loadedPart, planned } from './planned.fixture.ts'

const base = osvUpstream.base ?? ''
const POSITION = '2026-11-20T00:00:00Z'
const change = (id: string, at: string): string => `${at},${id}\n`
const [OLD, NEW, NEWEST] = ['2026-11-19T00:00:00Z', '2026-11-21T00:00:00Z', '2026-11-22T00:00:00Z']

/** What it plans for npm, of whose changes this is the list. */
async function ofNpm(list: string | undefined, position?: string) {
  const files: Record<string, string> = list === undefined ? {} : { 'npm/modified_id.csv': list }
  const parts = position === undefined ? [] : [loadedPart('npm', { position })]
  return (await planned(osvUpstream, { files, parts })).filter(({ part }) => part === 'npm')
}
const archive = { part: 'npm', urls: [`${base}npm/all.zip`], isWhole: true }

test('at first it is the archive of each ecosystem; the newest change is the position', async () => {
  const plan = await planned(osvUpstream, { files: {} })
  expect(plan.map(({ part, isWhole }) => [part, isWhole])).toContainEqual(['Rocky Linux', true])
  expect(plan.find(({ part }) => part === 'Rocky Linux')?.urls).toEqual([`${base}Rocky%20Linux/all.zip`])
  expect(await ofNpm(change('GHSA-a', OLD) + change('GHSA-b', NEWEST) + change('GHSA-c', NEW))).toEqual([
    { ...archive, position: NEWEST },
  ])
  expect(await ofNpm(undefined)).toEqual([archive])
})

test('then it is the records that changed since, and nothing when there are none', async () => {
  const list =
    change('GHSA-b', NEWEST) + change('GHSA-c', NEW) + change('GHSA-at', POSITION) + change('GHSA-a', OLD)
  expect(await ofNpm(list, POSITION)).toEqual([
    {
      part: 'npm',
      urls: [`${base}npm/GHSA-b.json`, `${base}npm/GHSA-c.json`],
      isWhole: false,
      position: NEWEST,
    },
  ])
  expect(await ofNpm(change('GHSA-a', OLD), POSITION)).toEqual([])
})

test('the archive is faster than more than 500 records, and stands in for a list that is missing', async () => {
  const many = (count: number) => Array.from({ length: count }, (_, n) => change(`GHSA-${n}`, NEW)).join('')
  expect(await ofNpm(many(500), POSITION)).toMatchObject([{ isWhole: false }])
  expect(await ofNpm(many(501), POSITION)).toEqual([{ ...archive, position: NEW }])
  expect(await ofNpm(undefined, POSITION)).toEqual([archive])
})

test('a line that is no change is passed over', async () => {
  expect(await ofNpm(`id,modified\n${NEW},../../x\n\n${change('GHSA-b', NEW)}`, POSITION)).toMatchObject([
    { urls: [`${base}npm/GHSA-b.json`] },
  ])
})
