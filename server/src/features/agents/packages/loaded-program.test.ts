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
