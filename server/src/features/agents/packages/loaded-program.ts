import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'

/** ELF, 64 bits, little endian (System V ABI, Generic): the first bytes of the file. */
const ELF64_LE = Buffer.from('7f454c460201', 'hex')
const HEADER = { bytes: 64, programs: 32, sections: 40, programSize: 54, programCount: 56, sectionCount: 60 }
const PROGRAM = { bytes: 56, offset: 8, sizeInFile: 32 }

export interface LoadedProgram {
  /** In bytes. */
  readonly size: number
  readonly content: () => AsyncGenerator<Buffer>
}

/**
 * A program as far as a system loads it: what follows the last segment and the table of segments, which in ELF files is
 * symbols for debuggers and the table of sections, is left out, a seventh of Node. The same bytes come out everywhere. A
 * file of another form, or one whose table does not fit it, stays whole.
 */
export async function loadedProgram(path: string): Promise<LoadedProgram> {
  const file = await open(path)
  try {
    const header = Buffer.alloc(HEADER.bytes)
    await file.read(header, 0, header.length, 0)
    const { size } = await file.stat()
    const whole = { size, content: () => chunksOf(path, Buffer.alloc(0), size) }
    if (!header.subarray(0, ELF64_LE.length).equals(ELF64_LE)) return whole
    const each = header.readUInt16LE(HEADER.programSize)
    const programs = Buffer.alloc(each * header.readUInt16LE(HEADER.programCount))
    const programsAt = Number(header.readBigUInt64LE(HEADER.programs))
    // some programs that change others, such as patchelf, move the table to the end of the file
    let end = Math.max(HEADER.bytes, programsAt + programs.length)
    if (each < PROGRAM.bytes || end > size) return whole
    await file.read(programs, 0, programs.length, programsAt)
    for (let at = 0; at < programs.length; at += each) {
      const offset = Number(programs.readBigUInt64LE(at + PROGRAM.offset))
      end = Math.max(end, offset + Number(programs.readBigUInt64LE(at + PROGRAM.sizeInFile)))
    }
    if (end > size) return whole
    header.writeBigUInt64LE(0n, HEADER.sections)
    header.writeUInt32LE(0, HEADER.sectionCount) // and which of them holds names
    return { size: end, content: () => chunksOf(path, header, end) }
  } finally {
    await file.close()
  }
}

async function* chunksOf(path: string, start: Buffer, end: number): AsyncGenerator<Buffer> {
  if (start.length > 0) yield start
  yield* createReadStream(path, { start: start.length, end: end - 1 }) as AsyncIterable<Buffer>
}
