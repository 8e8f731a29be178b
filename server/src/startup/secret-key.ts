import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

const KEY_BYTES = 32

/** The key below `dataDir`, made at first use. Written aside and linked into place: whole or not at all, one for all. */
export async function secretKeyIn(dataDir: string): Promise<string> {
  const file = join(dataDir, 'secret.key')
  const kept = await readKey(file)
  if (kept !== undefined) return kept
  await mkdir(dataDir, { recursive: true })
  const unfinished = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  const handle = await open(unfinished, 'wx', 0o600)
  try {
    await handle.writeFile(`${randomBytes(KEY_BYTES).toString('hex')}\n`)
    await handle.sync()
    await link(unfinished, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error // another process was quicker: its key counts
    })
  } finally {
    await handle.close()
    await rm(unfinished, { force: true })
  }
  return secretKeyIn(dataDir)
}

async function readKey(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text?.trim() === '') throw new Error(`${file} is empty; put the key back from a backup`)
  return text?.trim()
}
