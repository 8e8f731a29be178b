import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'

/** ELF, 64 bits, little endian (System V ABI, Generic): the first bytes of the file. */
const ELF64_LE = Buffer.from('7f454c460201', 'hex')
const HEADER = { bytes: 64, programs: 32, sections: 40, programSize: 54, programCount: 56, sectionCount: 60 }
const PROGRAM = { offset: 8, sizeInFile: 32 }

export interface LoadedProgram {
  /** In bytes. */
  readonly size: number
  readonly content: () => AsyncGenerator<Buffer>
}

/**
 * A program as far as a system loads it: what follows the last segment, which in ELF files is symbols for debuggers and the
 * table of sections, is left out, a seventh of Node. The same bytes come out everywhere. A file of another form stays whole.
 */
export async function loadedProgram(path: string): Promise<LoadedProgram> {
  const file = await open(path)
  try {
    const header = Buffer.alloc(HEADER.bytes)
    await file.read(header, 0, header.length, 0)
    const { size } = await file.stat()
    if (!header.subarray(0, ELF64_LE.length).equals(ELF64_LE))
      return { size, content: () => chunksOf(path, Buffer.alloc(0), size) }
    const each = header.readUInt16LE(HEADER.programSize)
    const programs = Buffer.alloc(each * header.readUInt16LE(HEADER.programCount))
    await file.read(programs, 0, programs.length, Number(header.readBigUInt64LE(HEADER.programs)))
    let end = HEADER.bytes
    for (let at = 0; at < programs.length; at += each) {
      const offset = Number(programs.readBigUInt64LE(at + PROGRAM.offset))
      end = Math.max(end, offset + Number(programs.readBigUInt64LE(at + PROGRAM.sizeInFile)))
    }
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
