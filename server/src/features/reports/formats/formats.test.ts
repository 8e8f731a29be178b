import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { readXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { needs } from '#test/support/needs.ts'
import { writeDataset, type Cell, type DatasetLine } from '../dataset/dataset.ts'
import { openDataset } from '../dataset/open-dataset.ts'
import { reportFormats, type ReportFormat } from '../report.ts'
import { renderers } from './all.ts'

/** Values that have broken writers of files: formula starts, controls, right to left, four bytes, length, markup. */
const hostile = [
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

const DIGEST = 'ab'.repeat(32)

const about = {
  name: 'Stock-take Zürich ]]>',
  organisation: 'Acme',
  type: 'asset_audit',
  snapshotId: '0190f0f6-6c39-4f3c-8d59-2f6a1f0b7c21',
  asOf: '2026-11-22T04:30:00.000Z',
  scope: 'all assets',
  period: '2026-Q3',
  notes: ['12 addresses were not scanned'],
} as const

const columns = [
  { name: 'text', title: 'Text', kind: 'text' },
  { name: 'count', title: 'Count', kind: 'integer' },
  { name: 'price', title: 'Price', kind: 'decimal' },
  { name: 'seen', title: 'Seen', kind: 'instant' },
  { name: 'day', title: 'Day', kind: 'date' },
  { name: 'flag', title: 'Flag', kind: 'yesno' },
] as const

const rows: readonly (readonly Cell[])[] = hostile.map((text, at) => [
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

async function rendered(format: ReportFormat, from = lines): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of renderers[format](await openDataset(await datasetOf(from), DIGEST)))
    parts.push(Buffer.from(part as Uint8Array))
  return Buffer.concat(parts)
}

/** The characters of `hostile` that XML forbids, replaced. */
const withoutForbidden = (text: string): string =>
  ['\u0001', '\u001f', '\ufffe', '\uffff'].reduce((it, each) => it.replaceAll(each, '\ufffd'), text)

const isGuarded = (text: string): boolean => /^[=+\-@\t\r]/.test(text)

test('CSV holds the main table, guarded, with empty cells for what was not collected', async () => {
  const records = parse(await rendered('csv'), { relax_column_count: false }) as string[][]
  expect(records[0]).toEqual(columns.map(({ name }) => name))
  expect(records.slice(1, -1)).toEqual(
    rows.map(([text, count, price, seen, day, flag]) => [
      isGuarded(String(text)) ? `'${text}` : text,
      String(count),
      price,
      seen,
      day,
      flag ? 'yes' : 'no',
    ]),
  )
  expect(records.at(-1)).toEqual(['', '', '', '', '', ''])
})

test('XLSX, read by another library: the main sheet first, About last, typed cells, text that stays text', async () => {
  const { sheets } = await readXlsx(await rendered('excel'))
  expect(sheets.map(({ name }) => name)).toEqual(['Main  all ', 'Main  all  (2)', 'About'])
  const [head, ...body] = sheets[0]?.rows ?? []
  expect(head).toEqual(['Text', 'Count', 'Price', 'Seen (UTC)', 'Day', 'Flag'])
  body.slice(0, rows.length).forEach((row, at) => {
    const text = withoutForbidden(String(rows[at]?.[0]))
    expect(row[0]).toBe(isGuarded(text) ? `'${text}` : text)
    expect(row[1]).toBe(at)
    expect(row[2]).toBe(Number(`${at}.10`))
    expect(new Date(row[3] as Date).toISOString()).toBe('2026-11-20T10:00:00.500Z')
    expect(new Date(row[4] as Date).toISOString()).toBe('2026-11-20T00:00:00.000Z')
    expect(row[5]).toBe(at % 2 === 0)
  })
})

test.each(reportFormats)('%s: the same dataset gives the same bytes', async (format) => {
  expect((await rendered(format)).equals(await rendered(format))).toBe(true)
})

needs('xmllint')('with xmllint', () => {
  const schema = join(import.meta.dirname, '../../../../../docs/report.xsd')
  const check = (xml: Buffer | string): string => {
    const file = join(mkdtempSync(join(tmpdir(), 'rollcall-report-')), 'report.xml')
    writeFileSync(file, xml)
    execFileSync('xmllint', ['--noout', '--schema', schema, file], { stdio: 'pipe' })
    return 'valid'
  }
  test('XML is valid against the published schema', async () => {
    expect(check(await rendered('xml'))).toBe('valid')
  })
  test('the schema refuses a type that there is not', async () => {
    const xml = (await rendered('xml')).toString()
    expect(() => check(xml.replace('<type>asset_audit', '<type>audit'))).toThrow('asset_audit')
  })
})

needs(
  'qpdf',
  'pdffonts',
  'pdftotext',
)('with the tools of qpdf and poppler', () => {
  const run = (command: string, args: readonly string[], pdf: Buffer): string => {
    const file = join(mkdtempSync(join(tmpdir(), 'rollcall-report-')), 'report.pdf')
    writeFileSync(file, pdf)
    return execFileSync(
      command,
      args.map((it) => (it === 'FILE' ? file : it)),
      { encoding: 'utf8' },
    )
  }
  test('PDF is sound, and its fonts are embedded with a way back to Unicode', async () => {
    const pdf = await rendered('pdf')
    expect(run('qpdf', ['--check', 'FILE'], pdf)).toContain('No syntax or stream encoding errors found')
    const fonts = run('pdffonts', ['FILE'], pdf).trim().split('\n').slice(2)
    expect(fonts).toHaveLength(2)
    for (const font of fonts) expect(font).toMatch(/ yes yes yes +\d+/)
  })
  test('PDF says what the dataset says, what it cannot draw as code points', async () => {
    const text = run('pdftotext', ['-layout', 'FILE', '-'], await rendered('pdf'))
    for (const it of [about.name, about.notes[0], 'page 1 of 2', DIGEST, '@sum', '\u{1f600}'])
      expect(text).toContain(it)
    expect(text.replaceAll(/\s/g, '')).toContain('‹U+20000›')
  })
  test('issue 13: a sheet with an odd number of facts has no header cell without a scope', async () => {
    const section = {
      name: 'main',
      title: 'Main',
      isMain: true,
      layout: 'sheets',
      details: ['more'],
    } as const
    const pdf = await rendered('pdf', [
      { about: { ...about, assetUrl: 'https://rollcall.example.org/t/acme/assets/' } },
      { section: { ...section, columns: columns.slice(0, 3) } },
      { row: ['id-1', 1, '1.50'] },
      { row: ['id-2', 2, '1.50'] },
      { section: { name: 'more', title: 'More', of: 'main', columns } },
      { row: ['id-2', null, '2.50', '2026-11-20T10:00:00.5Z', null, true] },
    ])
    const json = run('qpdf', ['--json', '--json-key=qpdf', 'FILE'], pdf)
    const objects = Object.values((JSON.parse(json) as { qpdf: [object, object] }).qpdf[1]) as {
      value?: object
    }[]
    const headers = objects
      .map(({ value }) => JSON.stringify(value))
      .filter((it) => it?.includes('"/S":"/TH"'))
    expect(headers.length).toBeGreaterThan(5)
    for (const header of headers) expect(header).toContain('/Scope')
    const text = run('pdftotext', ['-layout', 'FILE', '-'], pdf)
    expect(text.indexOf('2.50')).toBeGreaterThan(text.indexOf('id-2'))
    expect(json).toContain('QR code: https://rollcall.example.org/t/acme/assets/id-2')
  })
  test('PDF is tagged as PDF/A-2a and PDF/UA-1 ask for', async () => {
    const json = JSON.parse(
      run('qpdf', ['--json', '--json-key=qpdf', 'FILE'], await rendered('pdf')),
    ) as object
    const all = JSON.stringify(json)
    for (const part of [
      '/StructTreeRoot',
      '"/Marked":true',
      '/ParentTree',
      '"/Scope":"/Column"',
      '/GTS_PDFA1',
      '"/DisplayDocTitle":true',
      '"/Tabs":"/S"',
    ])
      expect(all).toContain(part)
    const pdf = (await rendered('pdf')).toString('latin1')
    expect(pdf).toContain('<pdfaid:part>2</pdfaid:part><pdfaid:conformance>A</pdfaid:conformance>')
    expect(pdf).toContain('<pdfuaid:part>1</pdfuaid:part>')
  })
})

needs('soffice')('with LibreOffice', () => {
  test('XLSX opens, with the values and the texts that the dataset has', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rollcall-report-'))
    writeFileSync(join(folder, 'report.xlsx'), await rendered('excel'))
    const profile = `-env:UserInstallation=file://${folder}/profile`
    // fields by comma, quoted where needed, UTF-8, from the first row; of the first sheet
    const filter = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false'
    execFileSync(
      'soffice',
      [profile, '--headless', '--convert-to', filter, '--outdir', folder, join(folder, 'report.xlsx')],
      { stdio: 'pipe' },
    )
    const [head, ...body] = parse(readFileSync(join(folder, 'report.csv'))) as string[][]
    expect(head).toEqual(['Text', 'Count', 'Price', 'Seen (UTC)', 'Day', 'Flag'])
    expect(body.map(([, count, price, ...more]) => [Number(count), Number(price), ...more])).toEqual(
      rows.map((_, at) => [
        at,
        Number(`${at}.10`),
        '2026-11-20 10:00:00',
        '2026-11-20',
        at % 2 === 0 ? 'TRUE' : 'FALSE',
      ]),
    )
    // a formula would show its result or an error
    expect(body[0]?.[0]).toBe("'=cmd|x")
    expect(body[1]?.[0]).toBe("'+1")
    expect(body[8]?.[0]).toBe(hostile[8])
  }, 60_000)
})
