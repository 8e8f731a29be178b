import { chmodSync, closeSync, createReadStream, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createGunzip } from 'node:zlib'

const BLOCK = 512
const UNPACKED_BYTES_MAX = 400 * 1_048_576
/** All archives of the agent begin with it. */
const PREFIX = 'rollcall-agent/'
const SAFE_PATH = /^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/

/**
 * Unpacks a gzipped tar (ustar) of plain files into `folder`, without its first folder. Throws for anything else than plain
 * files below that folder, and for an archive that ends early.
 */
export async function unpack(archive: string, folder: string): Promise<void> {
  const reader = new TarReader(folder)
  const stream = createReadStream(archive).pipe(createGunzip())
  for await (const chunk of stream as AsyncIterable<Buffer>) reader.take(chunk)
  reader.end()
}

class TarReader {
  readonly #folder: string
  #rest: Buffer = Buffer.alloc(0)
  #total = 0
  #file: number | undefined
  #bytesLeft = 0
  #padding = 0
  #isEnded = false

  constructor(folder: string) {
    this.#folder = folder
  }

  take(chunk: Buffer): void {
    this.#total += chunk.length
    if (this.#total > UNPACKED_BYTES_MAX) throw new Error('the update is too large')
    let data = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    while (!this.#isEnded) {
      if (this.#file !== undefined) {
        const content = data.subarray(0, this.#bytesLeft)
        writeSync(this.#file, content)
        this.#bytesLeft -= content.length
        data = data.subarray(content.length)
        if (this.#bytesLeft > 0) break
        closeSync(this.#file)
        this.#file = undefined
      }
      if (data.length < this.#padding + BLOCK) break
      const header = data.subarray(this.#padding, this.#padding + BLOCK)
      data = data.subarray(this.#padding + BLOCK)
      this.#padding = 0
      this.#open(header)
    }
    this.#rest = this.#isEnded ? Buffer.alloc(0) : data
  }

  end(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    if (!this.#isEnded) throw new Error('the update ends early')
  }

  #open(header: Buffer): void {
    if (header.every((it) => it === 0)) {
      this.#isEnded = true
      return
    }
    const text = (from: number, length: number): string =>
      header
        .subarray(from, from + length)
        .toString('latin1')
        .split('\0', 1)[0] ?? ''
    const [path, size, mode] = [
      text(0, 100),
      Number.parseInt(text(124, 12), 8),
      Number.parseInt(text(100, 8), 8),
    ]
    const name = path.slice(PREFIX.length)
    if (!path.startsWith(PREFIX) || !SAFE_PATH.test(name) || text(156, 1) !== '0' || !(size >= 0))
      throw new Error(`the update holds ${path}, which is no plain file of the agent`)
    const target = join(this.#folder, name)
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
    this.#file = openSync(target, 'wx', 0o600)
    if ((mode & 0o100) !== 0) chmodSync(target, 0o700)
    this.#bytesLeft = size
    this.#padding = (BLOCK - (size % BLOCK)) % BLOCK
  }
}
