import { describe, expect, test } from 'vitest'
import { KeyCounts } from '../columns/key-counts.ts'
import { distinctKeys } from '../formats/csv.ts'
import { REJECTIONS_TOLD_MAX } from '../running/rejections.ts'
import { ENTRIES_MAX } from '../documents/document.ts'
import { CELLS_MAX } from './csv-records.ts'
import { ITEM_VALUES_MAX, KEYS_MAX } from './json-document.ts'
import { readInThread } from './reader-worker.ts'
import { ITEMS_PER_PIECE, ROWS_PER_PIECE } from './reading.ts'

/** As large as an upload may be. The thread that reads them has a limit of heap: a file that goes beyond it is refused. */
const BYTES = 20_000_000
const CHUNK_BYTES = 262_144
const NMAP = '<nmaprun scanner="nmap" start="1795218818">'
const terms = { now: new Date('2026-12-01T00:00:00Z'), ignoreUnknown: false }

function filled(before: string, repeated: string, { after = '', bytes = BYTES } = {}): Buffer {
  const file = Buffer.alloc(bytes - after.length, repeated)
  file.write(before)
  return Buffer.concat([file, Buffer.from(after)])
}

/** What is read of a file, the largest pieces, and how often other work had its turn. */
async function outcomeOf(file: Buffer) {
  const found = { rows: 0, items: 0, rejectedTotal: 0, messages: new Set<string>(), lines: [] as number[] }
  const bounds = { bytes: 0, longest: 0, rejections: 0, pieces: 0, turns: 0 }
  const content = async function* () {
    for (let at = 0; at < file.length; at += CHUNK_BYTES) {
      const chunk = file.subarray(at, at + CHUNK_BYTES)
      bounds.bytes += chunk.length
      yield chunk
    }
  }
  const noteTurn = () => void bounds.turns++
  for await (const piece of readInThread(content(), terms)) {
    if (bounds.turns < bounds.pieces) throw new Error('two pieces came in one turn of the event loop')
    bounds.pieces++
    setImmediate(noteTurn)
    if (piece.kind === 'format') continue
    const [rows, items] = [piece.kind === 'rows' ? piece.rows : [], piece.kind === 'items' ? piece.items : []]
    const { rejected, rejectedTotal } =
      piece.kind === 'items' ? { rejected: [], rejectedTotal: 0 } : piece.rejections
    found.rows += rows.length
    found.items += items.length
    found.rejectedTotal += rejectedTotal
    for (const { message } of rejected) found.messages.add(message)
    found.lines.push(...rejected.slice(0, 1).map(({ line }) => line))
    bounds.longest = Math.max(bounds.longest, rows.length, items.length)
    bounds.rejections = Math.max(bounds.rejections, rejected.length)
  }
  expect(bounds.longest).toBeLessThanOrEqual(Math.max(ROWS_PER_PIECE, ITEMS_PER_PIECE))
  expect(bounds.rejections).toBeLessThanOrEqual(REJECTIONS_TOLD_MAX)
  expect(bounds.bytes).toBeLessThanOrEqual(file.length)
  const { messages, lines, ...counts } = found
  return {
    ...counts,
    messages: [...messages].slice(0, 3),
    line: lines[0],
    isRead: bounds.bytes === file.length,
  }
}

describe('issue 9: 20 MB are read once, in bounded memory and in small pieces', () => {
  test.each([
    // a quarter of it: it takes a second for each 3 MB
    ['empty elements', '<a/>', BYTES / 4],
    ['text nodes', `${'text '.repeat(20)}<a/>`, BYTES],
  ])('XML of %s', async (_, repeated, bytes) => {
    expect(await outcomeOf(filled(NMAP, repeated, { after: '></nmaprun>', bytes }))).toMatchObject({
      rows: 0,
      rejectedTotal: 0,
      isRead: true,
    })
  })

  test('XML with an attribute that is not closed: the place is named', async () => {
    expect(await outcomeOf(filled(`${NMAP}\n<host a="`, 'x '))).toMatchObject({
      rejectedTotal: 1,
      line: 2,
      messages: [expect.stringContaining('is a quote of an attribute not closed?')],
    })
  })

  test('CSV with a quote that is not closed, in one line and in many', async () => {
    expect(await outcomeOf(filled('name,os\n"', 'x'))).toMatchObject({
      rejectedTotal: 1,
      line: 2,
      isRead: true,
    })
    const outcome = await outcomeOf(filled('name,os\n"', `${'x'.repeat(999)}\n`))
    expect(outcome).toMatchObject({
      rows: 0,
      messages: ['has a quote that is not closed', 'has 1 cells where the header has 2'],
      isRead: true,
    })
  })

  test('CSV of which every line is rejected: all are counted, few are held', async () => {
    const lines = 500_000
    expect(await outcomeOf(Buffer.from(`name,os\n${'x\n'.repeat(lines)}`))).toMatchObject({
      rows: 0,
      rejectedTotal: lines,
      line: 2,
    })
  })

  test('CycloneDX of 350,000 components', async () => {
    const component = (n: number) => `{"type":"library","name":"c${n}","version":"1.${n % 10}"}`
    const components = Array.from({ length: 350_000 }, (_, n) => component(n)).join(',')
    const file = Buffer.from(`{"bomFormat":"CycloneDX","components":[${components}]}`)
    expect(await outcomeOf(file)).toMatchObject({ items: ENTRIES_MAX, rejectedTotal: 350_000 - ENTRIES_MAX })
  })
})

describe('issue 9: what would take much memory is refused by its name', () => {
  const refusalOf = (file: string) => outcomeOf(Buffer.from(file)).catch((error: Error) => error.message)
  const numbered = (count: number, part: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => part(n)).join(',')

  test('a table of too many columns', async () => {
    expect(await refusalOf(`${numbered(CELLS_MAX + 1, String)}\n`)).toContain(
      `header: has more than ${CELLS_MAX} cells`,
    )
  })

  test('a document of too many keys', async () => {
    const keys = numbered(KEYS_MAX, (n) => `"${n}":0`)
    expect(await refusalOf(`{"bomFormat":"CycloneDX",${keys}}`)).toBe(
      `file: has more than ${KEYS_MAX} keys in its outermost object`,
    )
  })

  test('a component of too many keys', async () => {
    const keys = numbered(ITEM_VALUES_MAX, (n) => `"${n}":0`)
    expect(await refusalOf(`{"bomFormat":"CycloneDX","components":[{"name":"a"},{${keys},"z":0}]}`)).toBe(
      `file: is not well-formed JSON: record 2 has more than ${ITEM_VALUES_MAX} values`,
    )
  })

  test('rows of too many different assets are rejected one by one', () => {
    const distinct = distinctKeys(new KeyCounts(1))
    const row = (line: number, sourceKey: string) => ({
      line,
      observation: { sourceKey, seenAt: terms.now, identifiers: [] },
    })
    expect([row(2, 'serial:a'), row(3, 'serial:b'), row(4, 'serial:a')].map(distinct)).toMatchObject([
      { line: 2, observation: { sourceKey: 'serial:a' } },
      { line: 3, field: 'serial', message: expect.stringContaining('split the file') },
      { line: 4, observation: { sourceKey: 'serial#2:a' } },
    ])
  })
})
