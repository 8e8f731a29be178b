import { execFile } from 'node:child_process'
import { closeSync, constants, lstatSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'

const BYTES_MAX = 8 * 1_048_576
const CHUNK_BYTES = 4_096
const CHUNK_BYTES_MAX = 262_144
/** Programs that tell of a whole system take longer than any other. */
const TIMEOUT_MS = 55_000

/** How collectors reach the host. Paths are absolute, as on the host. */
export interface Machine {
  readonly platform: NodeJS.Platform
  readonly arch: string
  /** Undefined when the file is absent or may not be read. Throws over 8 MiB. */
  readonly read: (path: string) => Promise<string | undefined>
  /** Names in a folder, sorted; none when it is absent. */
  readonly list: (path: string) => Promise<readonly string[]>
  /** Folders and files in a folder; none when it is absent. Links and devices are neither. */
  readonly folder: (path: string) => readonly { readonly name: string; readonly isFolder: boolean }[]
  /** Bytes of a file; undefined when it is none. */
  readonly size: (path: string) => number | undefined
  /** Bytes of a file, at most 8 MiB. Throws when it is shorter, or may not be read. */
  readonly part: (path: string, from: number, length: number) => Buffer
  /** Size, time of change and inode: equal as long as the file is. Undefined when it is absent. */
  readonly stamp: (path: string) => string | undefined
  /** Where a symbolic link points; undefined when it is none. */
  readonly link: (path: string) => Promise<string | undefined>
  /**
   * What a program printed, started without a shell; undefined when there is no such program. Throws when it fails, unless
   * its code of failure is an answer too.
   */
  readonly run: (program: string, args: readonly string[], mayFail?: boolean) => Promise<string | undefined>
  readonly interfaces: () => ReturnType<typeof networkInterfaces>
}

/** `root` stands before every path, for tests. */
export const thisMachine = (root = '/'): Machine => ({
  platform: process.platform,
  arch: process.arch,
  read: (path) => readText(join(root, path)),
  async list(path) {
    try {
      return readdirSync(join(root, path)).toSorted()
    } catch {
      return []
    }
  },
  folder(path) {
    try {
      const entries = readdirSync(join(root, path), { withFileTypes: true })
      return entries
        .filter((it) => it.isDirectory() || it.isFile())
        .map((it) => ({ name: it.name, isFolder: it.isDirectory() }))
    } catch {
      return []
    }
  },
  size(path) {
    const stat = lstatSync(join(root, path), { throwIfNoEntry: false })
    return stat?.isFile() === true ? stat.size : undefined
  },
  part: (path, from, length) => readPart(join(root, path), from, length),
  stamp(path) {
    const stat = lstatSync(join(root, path), { bigint: true, throwIfNoEntry: false })
    return stat && `${stat.size} ${stat.mtimeNs} ${stat.ino}`
  },
  async link(path) {
    try {
      return readlinkSync(join(root, path))
    } catch {
      return undefined
    }
  },
  run: runProgram,
  interfaces: networkInterfaces,
})

/** A file read at once costs a fraction of the processor time of a stream, and a report has thousands of small ones. */
async function readText(path: string): Promise<string | undefined> {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    return contentOf(file, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** Files of /proc and /sys tell no size. */
function contentOf(file: number, path: string): string {
  const chunks: Buffer[] = []
  let length = 0
  for (let size = CHUNK_BYTES; ; size = CHUNK_BYTES_MAX) {
    const chunk = Buffer.allocUnsafe(size)
    const bytes = readSync(file, chunk)
    if (bytes === 0) return Buffer.concat(chunks, length).toString('utf8')
    length += bytes
    if (length > BYTES_MAX) throw new Error(`${path} is longer than ${BYTES_MAX} bytes`)
    chunks.push(chunk.subarray(0, bytes))
  }
}

function readPart(path: string, from: number, length: number): Buffer {
  if (from < 0 || length > BYTES_MAX) throw new Error(`${path}: ${length} bytes from ${from} are not read`)
  // what was a file a moment ago may be a link or a pipe by now, where others may write
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  try {
    const part = Buffer.allocUnsafe(length)
    if (readSync(file, part, 0, length, from) < length) throw new Error(`${path} is shorter than it says`)
    return part
  } finally {
    closeSync(file)
  }
}

function runProgram(program: string, args: readonly string[], mayFail = false): Promise<string | undefined> {
  const options = { timeout: TIMEOUT_MS, maxBuffer: BYTES_MAX, env: { PATH, LC_ALL: 'C' }, windowsHide: true }
  return new Promise((resolve, reject) => {
    execFile(program, [...args], options, (error, stdout) => {
      if (error?.code === 'ENOENT') resolve(undefined)
      else if (mayFail && typeof error?.code === 'number') resolve(stdout)
      else if (error) reject(new Error(`${program} failed: ${error.message.slice(0, 200)}`))
      else resolve(stdout)
    })
  })
}

/** A fixed one: the caller's may lead to programs that somebody else placed. */
const PATH =
  process.platform === 'win32'
    ? 'C:\\Windows\\System32;C:\\Windows\\System32\\WindowsPowerShell\\v1.0'
    : '/usr/sbin:/usr/bin:/sbin:/bin'
