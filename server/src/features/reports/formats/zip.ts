import { crc32, createDeflateRaw } from 'node:zlib'

export interface ZipEntry {
  readonly name: string
  /** UTF-8. */
  readonly content: AsyncIterable<string>
}

const DEFLATE_LEVEL = 6
/** 1980-01-01, the first day that the format knows: the same content gives the same bytes whenever it is written. */
const DOS_DATE = 0x0021
const DOS_TIME = 0
const VERSION = 20
/** Sizes follow the content (bit 3), and names are UTF-8 (bit 11). */
const FLAGS = 0x0808
const DEFLATED = 8
/** Without the records of ZIP64. */
const SIZE_MAX = 0xffff_ffff

interface Written {
  readonly name: Buffer
  readonly crc: number
  readonly deflated: number
  readonly size: number
  readonly offset: number
}

/** A ZIP archive (APPNOTE 6.3.10) while its entries are made; never more of them in memory than a chunk. */
export async function* zip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  const written: Written[] = []
  let offset = 0
  for await (const { name, content } of entries) {
    const start = offset
    const sums = { crc: 0, size: 0, deflated: 0 }
    const title = Buffer.from(name)
    const header = localHeader(title)
    offset += header.length
    yield header
    for await (const chunk of deflated(content, sums)) {
      offset += chunk.length
      yield chunk
    }
    if (sums.size > SIZE_MAX || offset > SIZE_MAX) throw new Error('a workbook is larger than 4 GB')
    const descriptor = record('I4 I4 I4 I4', [0x08074b50, sums.crc, sums.deflated, sums.size])
    offset += descriptor.length
    yield descriptor
    written.push({ name: title, ...sums, offset: start })
  }
  const directory = Buffer.concat(written.map(directoryEntry))
  yield directory
  const count = written.length
  yield record('I4 I2 I2 I2 I2 I4 I4 I2', [0x06054b50, 0, 0, count, count, directory.length, offset, 0])
}

/** Notes checksum and sizes in `sums` on its way. */
async function* deflated(
  content: AsyncIterable<string>,
  sums: { crc: number; size: number; deflated: number },
): AsyncGenerator<Buffer> {
  const deflate = createDeflateRaw({ level: DEFLATE_LEVEL })
  const feeding = feed()
  // its failure is thrown below; until then nobody else listens
  feeding.catch((error: unknown) => deflate.destroy(error as Error))
  for await (const chunk of deflate as AsyncIterable<Buffer>) {
    sums.deflated += chunk.length
    yield chunk
  }
  await feeding

  async function feed(): Promise<void> {
    for await (const text of content) {
      const bytes = Buffer.from(text)
      sums.crc = crc32(bytes, sums.crc)
      sums.size += bytes.length
      if (!deflate.write(bytes)) await new Promise<void>((resolve) => deflate.once('drain', resolve))
    }
    deflate.end()
  }
}

const localHeader = (name: Buffer): Buffer =>
  Buffer.concat([
    record('I4 I2 I2 I2 I2 I2 I4 I4 I4 I2 I2', [
      0x04034b50,
      VERSION,
      FLAGS,
      DEFLATED,
      DOS_TIME,
      DOS_DATE,
      0,
      0,
      0,
      name.length,
      0,
    ]),
    name,
  ])

const directoryEntry = ({ name, crc, deflated, size, offset }: Written): Buffer =>
  Buffer.concat([
    record('I4 I2 I2 I2 I2 I2 I2 I4 I4 I4 I2 I2 I2 I2 I2 I4 I4', [
      0x02014b50,
      VERSION,
      VERSION,
      FLAGS,
      DEFLATED,
      DOS_TIME,
      DOS_DATE,
      crc,
      deflated,
      size,
      name.length,
      0,
      0,
      0,
      0,
      0,
      offset,
    ]),
    name,
  ])

/** Unsigned little-endian numbers of so many bytes each. */
function record(widths: string, values: readonly number[]): Buffer {
  const lengths = widths.split(' ').map((it) => Number(it.slice(1)))
  const buffer = Buffer.alloc(lengths.reduce((sum, it) => sum + it))
  let at = 0
  lengths.forEach((length, i) => {
    buffer.writeUIntLE(values[i] ?? 0, at, length)
    at += length
  })
  return buffer
}
