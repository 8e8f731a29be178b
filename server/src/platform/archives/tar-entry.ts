/** The format of POSIX.1-1988 (ustar), which every tar reads. */
const BLOCK = 512
/** The same archive from the same files: nobody asks when they were unpacked here. */
const MODIFIED_AT = Date.UTC(2026, 0, 1) / 1_000

export interface TarEntry {
  /** At most 100 bytes. */
  readonly path: string
  readonly size: number
  readonly isProgram: boolean
}

/** The header before an entry's content. */
export function tarHeader({ path, size, isProgram }: TarEntry): Buffer {
  const header = Buffer.alloc(BLOCK)
  if (Buffer.byteLength(path) > 100) throw new Error(`${path} is too long for the archive`)
  const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`
  const fields: [number, string][] = [
    [0, path],
    [100, octal(isProgram ? 0o755 : 0o644, 8)],
    [108, octal(0, 8)],
    [116, octal(0, 8)],
    [124, octal(size, 12)],
    [136, octal(MODIFIED_AT, 12)],
    [148, ' '.repeat(8)],
    [156, '0'],
    [257, 'ustar\u000000'],
    [265, 'root'],
    [297, 'root'],
  ]
  for (const [at, text] of fields) header.write(text, at, 'latin1')
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return header
}

/** Zeros after an entry's content, up to the next block. */
export const tarPadding = (size: number): Buffer => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK)

/** Two empty blocks. */
export const TAR_END = Buffer.alloc(2 * BLOCK)
