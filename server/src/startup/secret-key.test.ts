import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { secretKeyIn } from './secret-key.ts'

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'rollcall-key-'))
  onTestFinished(() => rm(made, { recursive: true }))
  return made
}

test('made once, readable by its owner only, and nothing else is left', async () => {
  const dataDir = join(await folder(), 'new')
  const key = await secretKeyIn(dataDir)
  expect(key).toMatch(/^[0-9a-f]{64}$/)
  expect(await secretKeyIn(dataDir)).toBe(key)
  expect((await stat(join(dataDir, 'secret.key'))).mode & 0o777).toBe(0o600)
  expect(await readdir(dataDir)).toEqual(['secret.key'])
})

test('many at the same time agree', async () => {
  const dataDir = await folder()
  const keys = await Promise.all(Array.from({ length: 8 }, () => secretKeyIn(dataDir)))
  expect(new Set(keys).size).toBe(1)
})

test('an emptied file is refused, not replaced: what it sealed would be lost', async () => {
  const dataDir = await folder()
  await writeFile(join(dataDir, 'secret.key'), '')
  await expect(secretKeyIn(dataDir)).rejects.toThrow('is empty')
})
