import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { readXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { needs } from '#test/support/needs.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'
import type { DatasetLine } from '../dataset/dataset.ts'
import { reportFormats } from '../report.ts'
import { about, columns, DIGEST, hostile, rendered, rows } from './hostile-report.fixture.ts'

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

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&#13;': '\r',
}

test('XML has each value as the dataset has it, but for what XML forbids', async () => {
  const xml = (await rendered('xml')).toString()
  const found = [...xml.matchAll(/<row>(.*?)<\/row>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<cell of="(\w+)">(.*?)<\/cell>/gs)].map(([, name, text = '']) => [
      name,
      text.replaceAll(/&(?:lt|gt|amp|#13);/g, (it) => entities[it] ?? it),
    ]),
  )
  expect(found.slice(0, rows.length)).toEqual(
    rows.map(([text, count, price, seen, day, flag]) => [
      ['text', withoutForbidden(String(text))],
      ['count', String(count)],
      ['price', price],
      ['seen', seen],
      ['day', day],
      ['flag', flag ? 'yes' : 'no'],
    ]),
  )
  // what was not collected has no cell
  expect(found[rows.length]).toEqual([])
})

test.each(reportFormats)('%s: the same dataset gives the same bytes', async (format) => {
  expect((await rendered(format)).equals(await rendered(format))).toBe(true)
})

needs('xmllint')('with xmllint', () => {
  const schema = join(import.meta.dirname, '../../../../../docs/report.xsd')
  const check = (xml: Buffer | string): string => {
    const file = join(temporaryFolder(), 'report.xml')
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
    const file = join(temporaryFolder(), 'report.pdf')
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
  test('contents lead to their pages and codes to their assets; each link says where, for who hears it', async () => {
    const main = { name: 'main', title: 'Main', isMain: true, layout: 'sheets', columns } as const
    const pdf = await rendered('pdf', [
      { about: { ...about, assetUrl: 'https://rollcall.example.org/t/acme/assets/' } },
      { section: main },
      { row: ['id-1', 1, '1.50', null, null, null] },
      { section: { name: 'wide', title: 'Wide', columns: [...columns, { ...columns[0], name: 'more' }] } },
    ])
    const json = run('qpdf', ['--json', '--json-key=qpdf', 'FILE'], pdf)
    type Objects = Record<string, { value?: Record<string, unknown> }>
    const objects = (JSON.parse(json) as { qpdf: [object, Objects] }).qpdf[1]
    const links = Object.values(objects).flatMap(({ value }) =>
      value?.['/Subtype'] === '/Link' ? [value] : [],
    )
    expect(links.map((it) => String(it['/Contents'])).toSorted()).toEqual([
      'u:Main',
      'u:Open https://rollcall.example.org/t/acme/assets/id-1',
      'u:Wide',
    ])
    const pages = links.flatMap((it) => {
      const [page] = (it['/Dest'] as readonly string[] | undefined) ?? []
      return page === undefined ? [] : [objects[`obj:${page}`]?.value]
    })
    // a table of more than six columns lies across
    expect(pages.map((page) => page?.['/MediaBox'])).toEqual([
      [0, 0, 595, 842],
      [0, 0, 842, 595],
    ])
    for (const link of links) expect(link).toMatchObject({ '/F': 4, '/StructParent': expect.any(Number) })
    expect(json.match(/"\/OBJR"/g)).toHaveLength(links.length)
  })
  test('a heading is on the page of its chart', async () => {
    const chart = { kind: 'bars', label: 'text', value: 'count', isTimeSeries: true } as const
    const quarters = Array.from({ length: 13 }, (_, n): DatasetLine => ({ row: [`quarter ${n}`, n + 1] }))
    const section = { columns: columns.slice(0, 2), chart }
    const pdf = await rendered('pdf', [
      { about },
      { section: { ...section, name: 'first', title: 'First', isMain: true } },
      ...quarters,
      { section: { ...section, name: 'second', title: 'Second part' } },
      ...quarters,
    ])
    const pages = run('pdftotext', ['-layout', 'FILE', '-'], pdf).split('\f')
    expect(pages.findLast((it) => it.includes('Second part'))).toMatch(/quarter 0/)
  })
  test('the cover names characters that the fonts do not have', async () => {
    const text = run('pdftotext', ['-layout', 'FILE', '-'], await rendered('pdf'))
    expect(text).toMatch(/The fonts of this file do not have .*U\+20000/)
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
    const folder = temporaryFolder()
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
