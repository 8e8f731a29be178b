import { execFileSync } from 'node:child_process'
import { createWriteStream, statSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { expect, onTestFinished, test } from 'vitest'
import { loadedProgram } from './loaded-program.ts'

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'loaded-program-'))
  onTestFinished(() => rm(made, { recursive: true, force: true }))
  return made
}

test.runIf(process.platform === 'linux')('Node runs without what is not loaded, and is smaller', async () => {
  const path = join(await folder(), 'node')
  const { size, content } = await loadedProgram(process.execPath)
  await pipeline(Readable.from(content()), createWriteStream(path))
  await chmod(path, 0o755)
  expect(statSync(path).size).toBe(size)
  expect(size).toBeLessThan(statSync(process.execPath).size)
  const script = "process.stdout.write(require('node:crypto').createHash('sha256').update('x').digest('hex'))"
  const run = (program: string) => execFileSync(program, ['-e', script], { encoding: 'utf8' })
  expect(run(path)).toBe(run(process.execPath))
})

test('a file of another form stays as it is', async () => {
  const path = join(await folder(), 'script')
  await writeFile(path, '#!/bin/sh\nexit 0\n')
  const { size, content } = await loadedProgram(path)
  expect(await text(Readable.from(content()))).toBe('#!/bin/sh\nexit 0\n')
  expect(size).toBe(17)
})

/** An ELF file of one segment with the table of segments behind it, as patchelf leaves it, and symbols at the end. */
function movedTable(): { readonly file: Buffer; readonly loaded: number } {
  const segment = Buffer.alloc(100, 'code')
  const symbols = Buffer.alloc(40, 'symbols')
  const header = Buffer.alloc(64)
  Buffer.from('7f454c460201', 'hex').copy(header)
  const tableAt = header.length + segment.length
  header.writeBigUInt64LE(BigInt(tableAt), 32)
  header.writeUInt16LE(56, 54)
  header.writeUInt16LE(1, 56)
  const table = Buffer.alloc(56)
  table.writeBigUInt64LE(BigInt(header.length), 8)
  table.writeBigUInt64LE(BigInt(segment.length), 32)
  return { file: Buffer.concat([header, segment, table, symbols]), loaded: tableAt + table.length }
}

test('the table of segments is kept where it stands behind the segments', async () => {
  const { file, loaded } = movedTable()
  const path = join(await folder(), 'program')
  await writeFile(path, file)
  const { size, content } = await loadedProgram(path)
  expect(size).toBe(loaded)
  const bytes = Buffer.concat(await Readable.from(content()).toArray())
  expect(bytes.subarray(64)).toEqual(file.subarray(64, loaded))
})

test('a file that its table does not fit stays as it is', async () => {
  const { file } = movedTable()
  const path = join(await folder(), 'program')
  await writeFile(path, file.subarray(0, 120))
  const { size, content } = await loadedProgram(path)
  expect(size).toBe(120)
  expect(Buffer.concat(await Readable.from(content()).toArray())).toEqual(file.subarray(0, 120))
})
