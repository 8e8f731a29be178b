import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { sharedData } from '#test/support/shared-data.ts'
import { frameworks } from './catalogue.ts'

/**
 * Frameworks whose text belongs to others have numbers and titles in our own words. Compared with what of the originals
 * lies beside the repository: headings, and the texts in `originals/`, where somebody who has a licence put them.
 */

/** So many words in the same order are taken over, not found twice. */
const WORDS = 8
const REPOSITORY = fileURLToPath(new URL('../../../../../', import.meta.url))
const LOOKED_THROUGH = [
  'docs/**/*.md',
  'server/src/features/compliance/**/*.{ts,tsv,json}',
  'web/src/features/compliance/**/*.{ts,tsx}',
]

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

function shinglesOf(text: string): Set<string> {
  const words = wordsOf(text)
  return new Set(words.slice(WORDS - 1).map((_, at) => words.slice(at, at + WORDS).join(' ')))
}

function sharedShingles(text: string, original: ReadonlySet<string>): string[] {
  return [...shinglesOf(text)].filter((it) => original.has(it))
}

test('eight words in a row are found in whatever spelling, seven are not', () => {
  const original = shinglesOf('Unauthorised software is removed, or its use is written down as an exception.')
  expect(sharedShingles('… software IS removed — or its use is written …', original)).toHaveLength(1)
  expect(sharedShingles('software is removed, or its use is noted', original)).toEqual([])
})

interface Listed {
  readonly framework: string
  readonly control_id: string
  readonly title: string | null
  readonly text: string | null
  readonly level?: string
  readonly may_ship: string
}

const OF_OTHERS = {
  'cis-8.1': 'CIS Controls v8.1',
  'iso-27001-2022': 'ISO/IEC 27001:2022',
  'pci-dss-4.0.1': 'PCI DSS 4.0.1',
  'soc-2': 'SOC 2 (TSC 2017, rev. 2022)',
}

sharedData('compliance', 'frameworks whose text belongs to others', (folder) => {
  const listed = existsSync(folder)
    ? (JSON.parse(gunzipSync(readFileSync(`${folder}/controls.json.gz`)).toString('utf8')) as Listed[])
    : []
  const licensed = listed.filter(({ may_ship: ships }) => !ships.includes('text') && ships !== 'id, title')

  test.each(Object.entries(OF_OTHERS))('%s is complete, and has no heading of the original', (slug, name) => {
    const controls = frameworks.find((it) => it.slug === slug)?.controls ?? []
    const ids = new Set(controls.map(({ id }) => id))
    const wanted = listed.filter(({ framework, level }) => framework === name && level !== 'clause')
    expect(wanted.length).toBeGreaterThan(50)
    expect(wanted.filter(({ control_id: id }) => !ids.has(id))).toEqual([])
    const headings = new Set(licensed.map(({ title }) => wordsOf(title ?? '').join(' ')))
    expect(controls.filter(({ title }) => headings.has(wordsOf(title).join(' ')))).toEqual([])
  })

  test('no sentence of theirs is in the tree', () => {
    const texts = existsSync(`${folder}/originals`)
      ? globSync(`${folder}/originals/*.txt`).map((file) => readFileSync(file, 'utf8'))
      : []
    const original = new Set(
      [...texts, ...licensed.flatMap(({ title, text }) => [title ?? '', text ?? ''])].flatMap((it) => [
        ...shinglesOf(it),
      ]),
    )
    const files = globSync(LOOKED_THROUGH, { cwd: REPOSITORY })
    expect(files.length).toBeGreaterThan(100)
    const found = files.flatMap((file) =>
      sharedShingles(readFileSync(`${REPOSITORY}${file}`, 'utf8'), original).map((it) => `${file}: ${it}`),
    )
    expect(found).toEqual([])
  })
})
