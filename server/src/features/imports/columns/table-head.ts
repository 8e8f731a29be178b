import { withoutControlCharacters } from '#platform/validation/control-characters.ts'
import { shortened } from '#platform/validation/shortened.ts'
import { csvRecords, type CsvCells } from '../parsing/csv-records.ts'
import { titlesIn } from '../formats/csv.ts'
import { formatOf } from '../parsing/reading.ts'
import { asUtf8 } from '../parsing/text-encoding.ts'

/** How a table begins. */
export interface TableHead {
  readonly titles: readonly string[]
  /** Of each column, what stands in it in the first rows. */
  readonly examples: readonly (readonly string[])[]
}

/** How much of a file is read for its header; a longer header is read by the columns' own names alone. */
export const HEAD_BYTES = 65_536
const EXAMPLES_MAX = 3
const EXAMPLE_LENGTH_MAX = 80

/** The titles of a table, from the first bytes of its file; undefined when it is another kind of file. */
export async function tableHead(
  head: Uint8Array,
  format: string | undefined,
): Promise<TableHead | undefined> {
  const { head: text, content } = await asUtf8(once(head))
  if (formatOf(text, format).kind !== 'csv') return undefined
  const records: CsvCells[] = []
  for await (const some of csvRecords(content)) {
    if (records.length === 0 && some[0] && 'fault' in some[0]) return undefined
    records.push(...some.filter((record) => 'cells' in record))
    if (records.length > EXAMPLES_MAX) break
  }
  const [header, ...rows] = records.slice(0, 1 + EXAMPLES_MAX)
  if (!header) return undefined
  const titles = titlesIn(header)
  return {
    titles,
    examples: titles.map((_, place) =>
      rows.map(({ cells }) => exampleOf(cells[place] ?? '')).filter((cell) => cell !== ''),
    ),
  }
}

const exampleOf = (cell: string): string =>
  shortened(withoutControlCharacters(cell).trim(), EXAMPLE_LENGTH_MAX)

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}

/** The first bytes of a stream, and all of it. */
export async function withHead(
  content: AsyncIterable<Uint8Array>,
): Promise<{ readonly head: Uint8Array; readonly content: AsyncIterable<Uint8Array> }> {
  const source = content[Symbol.asyncIterator]()
  const chunks: Uint8Array[] = []
  let length = 0
  while (length < HEAD_BYTES) {
    const next = await source.next()
    if (next.done) break
    chunks.push(next.value)
    length += next.value.length
  }
  const all = async function* (): AsyncIterable<Uint8Array> {
    try {
      yield* chunks
      for (let next = await source.next(); !next.done; next = await source.next()) yield next.value
    } finally {
      await source.return?.()
    }
  }
  return { head: Buffer.concat(chunks).subarray(0, HEAD_BYTES), content: all() }
}
