/** A reader of a byte stream. */
export interface ByteSource {
  /** Reads exactly `count` bytes; throws when the stream ends before. */
  readonly readExactly: (count: number) => Promise<Buffer>
  /** Reads the next chunk; undefined at the end. */
  readonly some: () => Promise<Buffer | undefined>
  /** Puts bytes back, to be read again. */
  readonly back: (bytes: Buffer) => void
  /** Yields the next `count` bytes in chunks. */
  readonly pass: (count: number) => AsyncIterable<Buffer>
}

/** Makes what is thrown for a broken archive. */
export type ArchiveFault = (message: string) => Error

export function byteSource(content: AsyncIterable<Buffer>, fault: ArchiveFault): ByteSource {
  const source = content[Symbol.asyncIterator]()
  let rest: Buffer[] = []

  async function some(): Promise<Buffer | undefined> {
    for (;;) {
      const buffered = rest.shift()
      if (buffered && buffered.length > 0) return buffered
      if (buffered) continue
      const next = await source.next()
      if (next.done) return undefined
      if (next.value.length > 0) return next.value
    }
  }
  async function someOf(count: number): Promise<Buffer> {
    const chunk = await some()
    if (!chunk) throw fault('the archive is cut off')
    if (chunk.length <= count) return chunk
    back(chunk.subarray(count))
    return chunk.subarray(0, count)
  }
  function back(bytes: Buffer): void {
    rest = [bytes, ...rest]
  }
  async function* pass(count: number): AsyncIterable<Buffer> {
    for (let left = count; left > 0;) {
      const chunk = await someOf(left)
      left -= chunk.length
      yield chunk
    }
  }
  return {
    some,
    back,
    pass,
    async readExactly(count) {
      const chunks: Buffer[] = []
      for await (const chunk of pass(count)) chunks.push(chunk)
      return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
    },
  }
}
