import { execFile } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { readdir, readlink } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'

const BYTES_MAX = 8 * 1_048_576
const TIMEOUT_MS = 20_000

/** How collectors reach the host. Paths are absolute, as on the host. */
export interface Machine {
  readonly platform: NodeJS.Platform
  readonly arch: string
  /** Undefined when the file is absent or may not be read. Throws over 8 MiB. */
  readonly read: (path: string) => Promise<string | undefined>
  /** Names in a folder, sorted; none when it is absent. */
  readonly list: (path: string) => Promise<readonly string[]>
  /** Where a symbolic link points; undefined when it is none. */
  readonly link: (path: string) => Promise<string | undefined>
  /** What a program printed, started without a shell; undefined when there is no such program. Throws when it fails. */
  readonly run: (program: string, args: readonly string[]) => Promise<string | undefined>
  readonly interfaces: () => ReturnType<typeof networkInterfaces>
}

/** `root` stands before every path, for tests. */
export const thisMachine = (root = '/'): Machine => ({
  platform: process.platform,
  arch: process.arch,
  read: (path) => readText(join(root, path)),
  async list(path) {
    try {
      return (await readdir(join(root, path))).toSorted()
    } catch {
      return []
    }
  },
  async link(path) {
    try {
      return await readlink(join(root, path))
    } catch {
      return undefined
    }
  },
  run: runProgram,
  interfaces: networkInterfaces,
})

async function readText(path: string): Promise<string | undefined> {
  try {
    const chunks: Buffer[] = []
    let length = 0
    // files of /proc and /sys tell no size
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > BYTES_MAX) throw new Error(`${path} is longer than ${BYTES_MAX} bytes`)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks).toString('utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return undefined
  }
}

function runProgram(program: string, args: readonly string[]): Promise<string | undefined> {
  const options = { timeout: TIMEOUT_MS, maxBuffer: BYTES_MAX, env: { PATH, LC_ALL: 'C' }, windowsHide: true }
  return new Promise((resolve, reject) => {
    execFile(program, [...args], options, (error, stdout) => {
      if (error?.code === 'ENOENT') resolve(undefined)
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
