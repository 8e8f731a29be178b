import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { needs } from '#test/support/needs.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'
import type { DatasetLine } from '../dataset/dataset.ts'
import { about, rendered } from '../formats/hostile-report.fixture.ts'
import { figureSection } from '../kinds/figures/key-figures.ts'

async function pagesOf(lines: readonly DatasetLine[]): Promise<string[]> {
  const path = join(temporaryFolder(), 'report.pdf')
  writeFileSync(path, await rendered('pdf', lines))
  return execFileSync('pdftotext', ['-layout', path, '-']).toString().split('\f')
}

const gaps = [
  { name: 'product', title: 'Product', kind: 'text' },
  { name: 'state', title: 'State', kind: 'text', isCode: true },
  { name: 'cost', title: 'Cost of the gap', kind: 'decimal' },
  { name: 'currency', title: 'Currency', kind: 'text' },
] as const

const row = (...cells: Extract<DatasetLine, { row: unknown }>['row']): DatasetLine => ({ row: cells })

needs('pdftotext')('with pdftotext', () => {
  test('the cover has the figures and the first rows of the part that leads, which is printed first and once', async () => {
    const [cover = '', ...pages] = await pagesOf([
      { about: { ...about, leads: 'gaps' } },
      { section: { name: 'main', title: 'All of them', isMain: true, columns: gaps } },
      row('Main product', 'in_use', null, null),
      { section: { name: 'gaps', title: 'Gaps', columns: gaps } },
      ...Array.from({ length: 30 }, (_, n) => row(`Product ${n}`, 'not_assessed', `${n}.00`, 'EUR')),
      { section: figureSection },
      row('Cost of all', '1234567.89', 'EUR'),
      row('Reclaimable', null, null),
    ])
    expect(cover).toMatch(/Cost of all +Reclaimable\s+1\D?234\D?567\.89 +not known\s+EUR/)
    expect(cover).toMatch(/Product 0 +not assessed +0\.00 +EUR/)
    expect(cover).toMatch(/8 of 30; all of them on page 2/)
    const [first = ''] = pages
    expect(first.indexOf('Gaps')).toBeLessThan(first.indexOf('All of them'))
    expect(pages.join('').match(/Product 29/g)).toHaveLength(1)
    expect(pages.join('')).toMatch(/Main product +in use/)
  })

  test('below its rows a table has the sum of each currency; what is not known is in none', async () => {
    const pages = await pagesOf([
      { about },
      {
        section: {
          name: 'main',
          title: 'Gaps',
          isMain: true,
          columns: gaps,
          sum: { amount: 'cost', currency: 'currency' },
        },
      },
      row('a', null, '0.10', 'USD'),
      row('b', null, '2034.78', 'EUR'),
      row('c', null, '0.20', 'USD'),
      row('d', null, null, 'EUR'),
      row('e', null, '7.00', null),
    ])
    expect(pages.join('')).toMatch(/Total +2\D?034\.78 +EUR\s+Total +0\.30 +USD/)
  })

  test('a head stands on one line where there is room', async () => {
    const narrow = { name: 'main', title: 'Main', isMain: true, columns: gaps.slice(2) } as const
    const pages = await pagesOf([{ about }, { section: narrow }, row('1.00', 'EUR')])
    expect(pages.join('')).toMatch(/Cost of the gap +Currency/)
  })
})
