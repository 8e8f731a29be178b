import { byteSource, type ArchiveFault } from './byte-source.ts'

const BLOCK = 512

/** A regular file of an archive. */
export interface TarContent {
  readonly name: string
  readonly content: AsyncIterable<Buffer>
}

/**
 * Regular files of a tar archive (POSIX.1-2001 ustar and pax), in order; each must be read before the next. `onFill` gets the
 * bytes that hold nothing: what fills the last block of each entry, and all from the end of the archive on. POSIX leaves them
 * open; every common writer makes them zero.
 */
export async function* tarEntries(
  content: AsyncIterable<Buffer>,
  fault: ArchiveFault,
  onFill?: (bytes: Buffer) => void,
): AsyncIterable<TarContent> {
  const source = byteSource(content, fault)
  let longName = ''
  for (;;) {
    const header = await source.readExactly(BLOCK)
    if (isZero(header)) break
    if (!fitsItsSum(header)) throw fault('a header of the archive is broken')
    const size = sizeOf(header, fault)
    const padding = (BLOCK - (size % BLOCK)) % BLOCK
    const type = String.fromCharCode(header[156] ?? 0)
    if (type === 'x' || type === 'L') {
      const text = (await source.readExactly(checked(size, fault))).toString()
      longName = type === 'L' ? text.replace(/\0.*$/s, '') : (/\d+ path=([^\n]*)\n/.exec(text)?.[1] ?? '')
    } else if (type === '0' || type === '\0') {
      const body = source.pass(size)
      yield { name: longName || textOf(header, 0, 100), content: body }
      for await (const left of body) void left
      longName = ''
    } else for await (const left of source.pass(size)) void left
    const fill = await source.readExactly(padding)
    onFill?.(fill)
  }
  if (!onFill) return
  for (let rest = await source.some(); rest; rest = await source.some()) onFill(rest)
}

export const isZero = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0)

/** Octal digits and what ends them, as the writers of today and of old do. */
const SUM = /^[0-7 ]{6}(?:\0 | \0|\0\0)$/

/** The sum of all bytes of the header, its own field read as spaces. */
function fitsItsSum(header: Buffer): boolean {
  const own = header.toString('latin1', 148, 156)
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0)
  return SUM.test(own) && Number.parseInt(own, 8) === sum
}

const NAME_BYTES_MAX = 65_536

function checked(size: number, fault: ArchiveFault): number {
  if (size > NAME_BYTES_MAX) throw fault('the archive has a name that is too long')
  return size
}

const textOf = (header: Buffer, at: number, length: number): string =>
  header
    .subarray(at, at + length)
    .toString()
    .replace(/\0.*$/s, '')
    .trim()

function sizeOf(header: Buffer, fault: ArchiveFault): number {
  const text = textOf(header, 124, 12)
  if (!/^[0-7]+$/.test(text)) throw fault('the archive is not a tar archive')
  return Number.parseInt(text, 8)
}
