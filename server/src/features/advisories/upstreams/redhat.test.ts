import { expect, test } from 'vitest'
import { loadedPart, planned } from './planned.fixture.ts'
import { redhatUpstream } from './redhat.ts'

const base = redhatUpstream.base ?? ''
const change = (n: number, at: string): string => `"2026/rhsa-2026_${n}.json","${at}"\n`

/** What it plans where the named files are there. */
const plannedFrom = (files: Readonly<Record<string, string>>, position?: string) =>
  planned(redhatUpstream, { files, parts: position === undefined ? [] : [loadedPart('all', { position })] })

test('the first time it is the newest archive, whose day is the position', async () => {
  const files = { 'archive_latest.txt': 'csaf_advisories_2026-11-20.tar.zst\n' }
  expect(await plannedFrom(files)).toEqual([
    {
      part: 'all',
      urls: [`${base}csaf_advisories_2026-11-20.tar.zst`],
      isWhole: true,
      position: '2026-11-20',
    },
  ])
})

test.each([
  ['none', {}],
  ['an empty one', { 'archive_latest.txt': '\n' }],
  ['one that leads elsewhere', { 'archive_latest.txt': '../../2026-11-20.tar.zst' }],
])('of a name of the archive that is %s nothing is fetched', async (_, files) => {
  expect(await plannedFrom(files)).toEqual([])
})

test('then it is what changed since, and with too much of that the archive again', async () => {
  const csv = change(1, '2026-11-19T00:00:00+00:00') + change(2, '2026-11-21T00:00:00+00:00')
  expect(
    await plannedFrom({ 'changes.csv': `${csv}"2026/rhba-2026_3.json","2026-11-22"\n` }, '2026-11-20'),
  ).toEqual([
    {
      part: 'all',
      urls: [`${base}2026/rhsa-2026_2.json`],
      isWhole: false,
      position: '2026-11-21T00:00:00+00:00',
    },
  ])
  const many = Array.from({ length: 501 }, (_, n) => change(n, '2026-11-21')).join('')
  const files = { 'changes.csv': many, 'archive_latest.txt': 'csaf_2026-11-22.tar.zst' }
  expect(await plannedFrom(files, '2026-11-20')).toMatchObject([{ isWhole: true, position: '2026-11-22' }])
  expect(await plannedFrom({ 'changes.csv': csv }, '2026-11-22')).toEqual([])
})
