import { createHash } from 'node:crypto'
import { drawingColumns } from '../links/drawing-rows.ts'
import { writeDataset, type Cell, type DatasetLine } from '../dataset/dataset.ts'
import { openDataset } from '../dataset/open-dataset.ts'
import { figureSection } from '../kinds/figures/key-figures.ts'
import { reportFormats, type ReportFormat } from '../report.ts'
import { renderers } from './all.ts'

/** A report of hostile values, and one that has everything that print knows; tests and processes of tests render them. */

/** Values that have broken writers of files: formula starts, controls, right to left, four bytes, length, markup. */
export const hostile = [
  '=cmd|x',
  '+1',
  '-5',
  '@sum',
  '\ttab',
  '\rreturn',
  'two\r\nlines',
  'a "quoted", thing',
  ']]> <b>&amp;</b>',
  'nul-like \u0001\u001f\ufffe\uffff',
  '\u202edrucker\u2069',
  'שלום عربى',
  '\u{1f600}\u{20000}',
  '_x0041_',
  'x'.repeat(10_240),
  ' blanks ',
]

export const DIGEST = 'ab'.repeat(32)

export const about = {
  name: 'Stock-take Zürich ]]>',
  organisation: 'Acme',
  type: 'asset_audit',
  snapshotId: '0190f0f6-6c39-4f3c-8d59-2f6a1f0b7c21',
  asOf: '2026-11-22T04:30:00.000Z',
  scope: 'all assets',
  period: '2026-Q3',
  notes: ['12 addresses were not scanned'],
} as const

export const columns = [
  { name: 'text', title: 'Text', kind: 'text' },
  { name: 'count', title: 'Count', kind: 'integer' },
  { name: 'price', title: 'Price', kind: 'decimal' },
  { name: 'seen', title: 'Seen', kind: 'instant' },
  { name: 'day', title: 'Day', kind: 'date' },
  { name: 'flag', title: 'Flag', kind: 'yesno' },
] as const

export const rows: readonly (readonly Cell[])[] = hostile.map((text, at) => [
  text,
  at,
  `${at}.10`,
  '2026-11-20T10:00:00.5Z',
  '2026-11-20',
  at % 2 === 0,
])

async function datasetOf(lines: readonly DatasetLine[]): Promise<Buffer> {
  const writer = writeDataset()
  for (const line of lines) await writer.add(line)
  return (await writer.end()).content
}

const lines: readonly DatasetLine[] = [
  { about },
  { section: { name: 'main', title: 'Main [all]', isMain: true, columns } },
  ...rows.map((row) => ({ row })),
  { row: [null, null, null, null, null, null] },
  { section: { name: 'empty', title: 'Main [all]', columns: columns.slice(0, 1) } },
]

/** The whole file. */
export async function rendered(format: ReportFormat, from = lines): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of (await renderers[format]())(await openDataset(await datasetOf(from), DIGEST)))
    parts.push(Buffer.from(part as Uint8Array))
  return Buffer.concat(parts)
}

/** Sheets with details, a chart of each kind, drawings, figures, sums, a part that leads, and the hostile values. */
const everything: readonly DatasetLine[] = [
  { about: { ...about, assetUrl: 'https://rollcall.example.org/t/acme/assets/', leads: 'stacked' } },
  {
    section: {
      name: 'assets',
      title: 'Assets',
      isMain: true,
      layout: 'sheets',
      details: ['software'],
      columns,
    },
  },
  ...rows.map((row, at): DatasetLine => ({ row: [`asset-${at}`, ...row.slice(1)] })),
  ...(['bars', 'line'] as const).flatMap((kind): DatasetLine[] => [
    {
      section: {
        name: kind,
        title: kind,
        columns: columns.slice(0, 3),
        chart: { kind, label: 'text', value: 'count', isSummable: true },
        isSummed: true,
      },
    },
    ...rows.map((row): DatasetLine => ({ row: row.slice(0, 3) })),
  ]),
  {
    section: {
      name: 'stacked',
      title: 'stacked',
      columns: [...columns.slice(0, 3), { name: 'currency', title: 'Currency', kind: 'text' }],
      sum: { amount: 'price', currency: 'currency' },
      chart: { kind: 'stacked', label: 'count', value: 'price', series: 'text', unit: 'currency' },
    },
  },
  ...rows.map(([text = null, , price = null], at): DatasetLine => ({
    row: [text, at % 3, price, at % 2 === 0 ? 'EUR' : 'USD'],
  })),
  { section: { name: 'software', title: 'Software', of: 'assets', columns } },
  ...rows.flatMap((row, at): DatasetLine[] =>
    Array.from({ length: at }, () => ({ row: [`asset-${at}`, ...row.slice(1)] })),
  ),
  { section: { name: 'codes', title: 'Codes', columns: [{ ...columns[0], isCode: true }] } },
  { row: ['in_use'] },
  { section: figureSection },
  ...hostile.map((text, at): DatasetLine => ({ row: [text, at === 0 ? null : `${at}000.50`, 'EUR'] })),
  { section: { name: 'links', title: 'Links', pictured: 'drawings', columns: columns.slice(0, 1) } },
  { section: { name: 'drawings', title: 'Drawings', layout: 'drawings', columns: drawingColumns } },
  { row: [1, 'Zürich', 1, 'core ]]>', 'switch', null, null, null, null, 3, null, null, 0, 1] },
  { row: [1, 'Zürich', 2, 'עברית', 'router', 1, '3', null, null, null, '2 phone', 'p1, p2', 1, 0] },
  { row: [1, 'Zürich', 3, 'ap', 'access_point', 1, null, 'x', 2, null, null, null, 1, 2] },
]

/** SHA-256 of the file in each format, hexadecimal. */
export async function digestsOfEverything(): Promise<Record<ReportFormat, string>> {
  const digests = { csv: '', pdf: '', excel: '', xml: '' }
  for (const format of reportFormats)
    digests[format] = createHash('sha256')
      .update(await rendered(format, everything))
      .digest('hex')
  return digests
}
