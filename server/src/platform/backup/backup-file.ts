import { createReadStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { TAR_END, tarHeader, tarPadding } from '../archives/tar-entry.ts'
import { tarEntries } from '../archives/tar-entries.ts'
import { conflict } from '../errors.ts'

/** A member of the file, whole in memory. */
export interface BackupMember {
  readonly name: string
  readonly content: Buffer
}

/** Writes a tar archive (ustar) beside its final name; it gets the name when it is whole and on disk. */
export interface BackupWriter {
  readonly add: (name: string, content: Buffer) => Promise<void>
  /** Resolves with the size of the file in bytes. */
  readonly finish: () => Promise<number>
  /** Removes what was written; nothing after `finish`. */
  readonly discard: () => Promise<void>
}

const MEMBER_BYTES_MAX = 1_073_741_824

export async function writeBackupFile(path: string): Promise<BackupWriter> {
  const unfinished = `${path}.${process.pid}.unfinished`
  const file = await open(unfinished, 'wx', 0o600)
  let bytes = 0
  async function write(...parts: Buffer[]): Promise<void> {
    for (const part of parts) {
      await file.writeFile(part)
      bytes += part.length
    }
  }
  return {
    add: (name, content) =>
      write(
        tarHeader({ path: name, size: content.length, isProgram: false }),
        content,
        tarPadding(content.length),
      ),
    async finish() {
      await write(TAR_END)
      await file.sync()
      await file.close()
      await rename(unfinished, path)
      return bytes
    },
    async discard() {
      await file.close()
      await rm(unfinished, { force: true })
    },
  }
}

/** The members in the order of the file. Throws `conflict` for what is no such file. */
export async function* readBackupFile(path: string): AsyncIterable<BackupMember> {
  const content = createReadStream(path, { highWaterMark: 1_048_576 }) as AsyncIterable<Buffer>
  for await (const entry of tarEntries(content, (message) => notABackup(path, message))) {
    const parts: Buffer[] = []
    let bytes = 0
    for await (const part of entry.content) {
      bytes += part.length
      if (bytes > MEMBER_BYTES_MAX) throw notABackup(path, `${entry.name} is too large`)
      parts.push(part)
    }
    yield { name: entry.name, content: Buffer.concat(parts) }
  }
}

export const notABackup = (path: string, why: string): Error =>
  conflict(`${path} is not a whole backup: ${why}`)
