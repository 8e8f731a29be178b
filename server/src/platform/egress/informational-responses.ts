import type { Socket } from 'node:net'

/** Watches the beginnings of the answers that arrive on a connection. */
export interface InformationalResponses {
  /** A request goes out: what is read next is the beginning of an answer. */
  readonly expectAnswer: () => void
}

const INTERIM = 'HTTP/1.1 1'
const STATUS_LINE_BYTES = 'HTTP/1.1 100'.length
const HEAD_END = '\r\n\r\n'

/**
 * Accepts an unrequested 100 Continue, as RFC 9110 §15.2 requires of every client. undici closes the connection on it but
 * ignores other informational responses: so the bytes `100` are rewritten to `102`, which has the same length.
 */
export function tolerateContinue(socket: Socket): InformationalResponses {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null
  let state: 'start' | 'interim' | 'final' = 'start'
  let held: Buffer = Buffer.alloc(0)
  let tail = ''

  // Returns the offset at which the next search must begin.
  const look = (bytes: Buffer, at: number): number => {
    if (state === 'start') {
      const begin = bytes.toString('latin1', at, at + STATUS_LINE_BYTES)
      if (!begin.startsWith(INTERIM.slice(0, begin.length))) {
        state = 'final'
        return bytes.length
      }
      if (begin.length < STATUS_LINE_BYTES) return at
      state = 'interim'
      tail = ''
      if (begin.endsWith('100')) bytes.write('2', at + STATUS_LINE_BYTES - 1, 'latin1')
      return at + STATUS_LINE_BYTES
    }
    if (state === 'final') return bytes.length
    const text = tail + bytes.toString('latin1', at)
    const end = text.indexOf(HEAD_END)
    if (end >= 0) {
      state = 'start'
      return at + end + HEAD_END.length - tail.length
    }
    tail = text.slice(-(HEAD_END.length - 1))
    return bytes.length
  }
  const filter = (chunk: Buffer): Buffer | null => {
    const bytes = held.length > 0 ? Buffer.concat([held, chunk]) : chunk
    let at = 0
    for (let next = look(bytes, at); next > at; next = look(bytes, at)) at = next
    held = bytes.subarray(at)
    return at > 0 ? bytes.subarray(0, at) : null
  }
  // undici reads by this method alone; Node itself calls it with 0 to fill the buffer.
  socket.read = (size?: number): Buffer | null => {
    if (size === 0 || (state === 'final' && held.length === 0)) return read(size)
    for (let chunk = read(size); chunk !== null; chunk = read(size)) {
      const ready = filter(chunk)
      if (ready) return ready
    }
    return null
  }
  return { expectAnswer: () => (state = 'start') }
}
