import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvRow } from '#platform/formats/csv.ts'
import {
  CELLS_MAX,
  csvRecords,
  RECORD_BYTES_MAX,
  RECORD_LINES_MAX,
  RecordReader,
  type CsvRecord,
  type Line,
} from './csv-records.ts'

async function records(content: string | Buffer, chunkSize = 7): Promise<CsvRecord[]> {
  const bytes = Buffer.from(content)
  const chunks = async function* () {
    for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize)
  }
  const found: CsvRecord[] = []
  for await (const some of csvRecords(chunks())) found.push(...some)
  return found
}

/** A record as one readable line: `3: a|b`, or `3! why`. */
const brief = (record: CsvRecord): string =>
  'cells' in record ? `${record.line}: ${record.cells.join('|')}` : `${record.line}! ${record.fault}`

test.each([
  ['line ends of both kinds', 'a,b\r\nc,d\ne,f', ['1: a|b', '2: c|d', '3: e|f']],
  ['blank lines', '\r\n\na,b\n\r\n\nc,d\n\n', ['3: a|b', '6: c|d']],
  ['quoted cells', '"a,1","say ""hi"""\n"",x\n', ['1: a,1|say "hi"', '2: |x']],
  ['line breaks in cells', 'a,b\n"c\r\nd",e\nf,g\n', ['1: a|b', '2: c\r\nd|e', '4: f|g']],
  ['empty cells', 'a,b,c\n,,\n', ['1: a|b|c', '2: ||']],
  [
    'too few and too many cells',
    'a,b\nc\nd,e,f\ng,h',
    ['1: a|b', '2! has 1 cells where the header has 2', '3! has 3 cells where the header has 2', '4: g|h'],
  ],
  [
    'a quote that is never closed',
    'a,b\n"c,d\ne,f\ng,h\n',
    ['1: a|b', '2! has a quote that is not closed', '3: e|f', '4: g|h'],
  ],
  [
    'a stray quote before good quoted cells',
    'a,b\n"c,d\ne,f\n"g",h\n"i",j\n',
    ['1: a|b', '2! has a quote that is not closed', '3: e|f', '4: g|h', '5: i|j'],
  ],
  [
    'quotes in the wrong place',
    'a,b\nc"d",e\n"f"g,h\ni,j',
    [
      '1: a|b',
      '2! has a quote in the wrong place; quote the whole cell',
      '3! has a quote in the wrong place; quote the whole cell',
      '4: i|j',
    ],
  ],
  ['nothing', '', []],
])('%s', async (_, content, expected) => {
  expect((await records(content)).map(brief)).toEqual(expected)
})

test('the faulty cell is told', async () => {
  expect(await records('a,b,c\n1,2"2",3\n')).toMatchObject([{}, { line: 2, cell: 1 }])
})

test('bytes that are not UTF-8 spoil their record only, and characters may cross chunks', async () => {
  const content = Buffer.concat([
    Buffer.from('é,ü\n'),
    Buffer.from([0xff, 0x2c, 0x62]),
    Buffer.from('\n漢,字'),
  ])
  expect(await records(content, 1)).toEqual([
    { line: 1, cells: ['é', 'ü'], sound: true },
    { line: 2, cells: ['\ufffd', 'b'], sound: false },
    { line: 3, cells: ['漢', '字'], sound: true },
  ])
})

describe('bounds', () => {
  test('a line that is too long is one fault', async () => {
    const long = 'x'.repeat(RECORD_BYTES_MAX + 1)
    expect((await records(`a,b\n${long}\nc,d\n"e\n${long}`, 65_536)).map(brief)).toEqual([
      '1: a|b',
      `2! is longer than ${RECORD_BYTES_MAX} bytes`,
      '3: c|d',
      '4! has a quote that is not closed',
      `5! is longer than ${RECORD_BYTES_MAX} bytes`,
    ])
  })

  test('a long quoted cell within the bound is read', async () => {
    const long = 'x'.repeat(RECORD_BYTES_MAX - 10)
    expect(await records(`a,b\n"${long}",1\n`, 65_536)).toMatchObject([{}, { cells: [long, '1'] }])
  })

  test('an open quote is given up after so many lines', async () => {
    const found = await records(`a,b\n"c,d\n${'e,f\n'.repeat(3 * RECORD_LINES_MAX)}"`, 65_536)
    expect(found.length).toBe(3 * RECORD_LINES_MAX + 3)
    expect(found.filter((record) => 'fault' in record).map((record) => record.line)).toEqual([
      2,
      3 * RECORD_LINES_MAX + 3,
    ])
  })
})

test('issue 9: a line is looked at a few times, however many quotes are not closed', () => {
  let looks = 0
  const reader = new RecordReader()
  const lines = 20 * RECORD_LINES_MAX
  for (let number = 1; number <= lines; number++) {
    const isOpening = number % (RECORD_LINES_MAX + 10) === 2
    const line: Line = {
      number,
      text: isOpening ? '"a' : 'a',
      sound: true,
      tooLong: false,
      get odd() {
        looks++
        return isOpening
      },
    }
    reader.read(line)
  }
  reader.read(undefined)
  expect(looks).toBeGreaterThanOrEqual(lines)
  expect(looks).toBeLessThan(4 * lines)
})

test('issue 9: a record of too many cells is not taken apart', async () => {
  const wide = ','.repeat(CELLS_MAX)
  expect((await records(`${wide}\n"a",${wide}\n"${wide}"\n`, 65_536)).map(brief)).toEqual([
    `1! has more than ${CELLS_MAX} cells`,
    `2! has more than ${CELLS_MAX} cells`,
    `3: ${wide}`,
  ])
})

test('every line is in a record or is a fault, whatever the quotes', async () => {
  const text = fc.string({ unit: fc.constantFrom('"', ',', '\n', 'a'), maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (content, chunkSize) => {
      let line = 1
      for (const record of await records(content, chunkSize)) {
        const skipped = content.split('\n').slice(line - 1, record.line - 1)
        expect(skipped.join('')).toBe('')
        line = record.line + ('cells' in record ? record.cells.join('').split('\n').length : 1)
      }
    }),
  )
})

test('what the writer writes is read back, in any chunks', async () => {
  const cell = fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', 'a', 'é', ' ', '😀') })
  const rows = fc.array(fc.tuple(cell, fc.constant('x'), cell), { minLength: 1 })
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 1, max: 40 }), async (rows, chunkSize) => {
      const guarded = (text: string) => (text.startsWith('\r') ? `'${text}` : text)
      const read = await records(rows.map(csvRow).join(''), chunkSize)
      expect(read.map((record) => 'cells' in record && record.cells)).toEqual(
        rows.map((row) => row.map(guarded)),
      )
    }),
  )
})
