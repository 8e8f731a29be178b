import { createReadStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { TAR_END, tarHeader, tarPadding } from '../archives/tar-entry.ts'
import { isZero, tarEntries } from '../archives/tar-entries.ts'
import { conflict } from '../errors.ts'

/** A member of the file, whole in memory. */
export interface BackupMember {
  readonly name: string
  readonly content: Buffer
}

/** Writes a tar archive (ustar) beside its final name. */
export interface BackupWriter {
  readonly add: (name: string, content: Buffer) => Promise<void>
  /**
   * Ends the file on disk, has it checked at its present path, and gives it its name. Resolves with its size in bytes. What
   * `check` throws leaves no file.
   */
  readonly finish: (check: (path: string) => Promise<void>) => Promise<number>
  /** Removes what was written. */
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
    async finish(check) {
      await write(TAR_END)
      await file.sync()
      await check(unfinished)
      await rename(unfinished, path)
      await file.close()
      return bytes
    },
    async discard() {
      await file.close()
      await rm(unfinished, { force: true })
    },
  }
}

/**
 * The members in the order of the file. Throws `conflict` for what is no such file, also for a changed byte between them: the
 * disk that changed it may have changed others.
 */
export async function* readBackupFile(path: string): AsyncIterable<BackupMember> {
  const content = createReadStream(path, { highWaterMark: 1_048_576 }) as AsyncIterable<Buffer>
  const fault = (message: string): Error => notABackup(path, message)
  function refuseContent(fill: Buffer): void {
    if (!isZero(fill)) throw fault('bytes between its members are changed')
  }
  for await (const entry of tarEntries(content, fault, refuseContent)) {
    const parts: Buffer[] = []
    let bytes = 0
    for await (const part of entry.content) {
      bytes += part.length
      if (bytes > MEMBER_BYTES_MAX) throw fault(`${entry.name} is too large`)
      parts.push(part)
    }
    yield { name: entry.name, content: Buffer.concat(parts) }
  }
}

export const notABackup = (path: string, why: string): Error =>
  conflict(`${path} is not a whole backup: ${why}`)
