/** Reads a body in chunks (RFC 9112 §7.1), however its bytes are cut. */
export interface ChunkedBody {
  /** Answers where the body ended, or the number of bytes when more is to come. */
  readonly take: (bytes: Buffer) => number
  readonly state: () => 'open' | 'over' | 'broken'
}

/** Length of a chunk's size with its extensions, and of each trailer. */
const LINE_MAX = 4_096
const TRAILERS_MAX = 16_384
const LINE_FEED = 10
const SIZE = /^([0-9a-f]{1,8})[\t ]*(?:;.*)?$/i

export function openChunkedBody(onData: (bytes: Buffer) => void): ChunkedBody {
  let state: 'open' | 'over' | 'broken' = 'open'
  let expected: 'size' | 'end of chunk' | 'trailer' = 'size'
  let line = ''
  let [left, trailerBytes] = [0, 0]

  const onLine = (text: string): void => {
    if (expected === 'trailer') {
      trailerBytes += text.length
      if (text === '') state = 'over'
      else if (trailerBytes > TRAILERS_MAX) state = 'broken'
    } else if (expected === 'end of chunk') {
      if (text !== '') state = 'broken'
      expected = 'size'
    } else {
      const digits = SIZE.exec(text)?.[1]
      if (digits === undefined) return void (state = 'broken')
      left = Number.parseInt(digits, 16)
      expected = left === 0 ? 'trailer' : 'end of chunk'
    }
  }
  const takeData = (bytes: Buffer, at: number): number => {
    const end = Math.min(bytes.length, at + left)
    left -= end - at
    onData(bytes.subarray(at, end))
    return end
  }
  const takeLine = (bytes: Buffer, at: number): number => {
    const feed = bytes.indexOf(LINE_FEED, at)
    const end = feed < 0 ? bytes.length : feed + 1
    line += bytes.toString('latin1', at, end)
    if (line.length > LINE_MAX || (feed >= 0 && !line.endsWith('\r\n'))) state = 'broken'
    else if (feed >= 0) {
      onLine(line.slice(0, -2))
      line = ''
    }
    return end
  }
  return {
    state: () => state,
    take(bytes) {
      let at = 0
      while (at < bytes.length && state === 'open') at = left > 0 ? takeData(bytes, at) : takeLine(bytes, at)
      return at
    },
  }
}
