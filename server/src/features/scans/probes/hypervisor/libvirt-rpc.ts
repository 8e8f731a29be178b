import type { Duplex } from 'node:stream'
import { ProbeFailure } from '../probe.ts'
import { Malformed, xdr, xdrReader, type XdrReader } from './xdr.ts'

export interface Rpc {
  /** What the procedure answers, read by `read`. Throws `Denied` when the daemon will not. */
  readonly call: <T>(procedure: number, parameters: Buffer, read: (reader: XdrReader) => T) => Promise<T>
  readonly close: () => void
}

export interface RpcOptions {
  readonly stream: Duplex
  /** For messages: `10.0.0.5:16514`. */
  readonly where: string
  readonly signal: AbortSignal
  readonly answerMs: number
  /** What else is known of why the stream ended, if it did. */
  readonly why?: () => Promise<string>
}

/** The daemon's refusal of one call, with its own words. */
export class Denied extends Error {}

/** libvirt's `remote_protocol`, as published with its source. */
const PROGRAM = 0x20008086
const VERSION = 1
const HEADER_LENGTH = 28
/** The largest message that libvirt itself takes. */
const MESSAGE_LENGTH_MAX = 32 * 1024 * 1024
const [CALL, REPLY] = [0, 1]
const OK = 0
const WORDS_LENGTH_MAX = 300

/** Calls and answers over a connection, one after the other. */
export function openRpc(means: RpcOptions): Rpc {
  const { stream, signal } = means
  const messages = messagesIn(stream)
  let serial = 0
  const failure = (words: string): ProbeFailure => new ProbeFailure(`libvirt on ${means.where} ${words}`)
  const close = (): void => void stream.destroy()

  const answerTo = async (mine: number): Promise<XdrReader> => {
    for (;;) {
      const message = await messages.next()
      if (message.done) {
        const why = (await means.why?.()) ?? ''
        throw failure(`ended the connection in the middle${why && `: ${why}`}`)
      }
      const reader = xdrReader(message.value)
      const [program, , , type, number, status] = Array.from({ length: 6 }, () => reader.uint())
      // events, and what keeps connections alive
      if (program !== PROGRAM || type !== REPLY || number !== mine) continue
      if (status === OK) return reader
      const [, , words] = [reader.int(), reader.int(), reader.maybeText()]
      throw new Denied((words ?? 'no reason given').slice(0, WORDS_LENGTH_MAX))
    }
  }
  return {
    close,
    async call(procedure, parameters, read) {
      signal.throwIfAborted()
      const late = AbortSignal.timeout(means.answerMs)
      const over = AbortSignal.any([signal, late])
      over.addEventListener('abort', close, { once: true })
      try {
        const head = xdr(PROGRAM, VERSION, procedure, CALL, ++serial, OK)
        stream.write(Buffer.concat([xdr(HEADER_LENGTH + parameters.length), head, parameters]))
        return read(await answerTo(serial))
      } catch (error) {
        signal.throwIfAborted()
        if (late.aborted) throw failure(`did not answer within ${means.answerMs / 1000} s`)
        if (error instanceof Malformed) throw failure(`sent an answer that cannot be: it ${error.message}`)
        throw error
      } finally {
        over.removeEventListener('abort', close)
      }
    },
  }
}

/** Whole messages without their length. Ends where the stream does. */
async function* messagesIn(stream: Duplex): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = []
  let length = 0
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      pieces.push(piece)
      length += piece.length
      while (length >= 4) {
        const [first] = pieces
        if (!first || first.length < 4) pieces = [Buffer.concat(pieces)]
        const wanted = (pieces[0] as Buffer).readUInt32BE()
        if (wanted < HEADER_LENGTH || wanted > MESSAGE_LENGTH_MAX)
          throw new Malformed(`begins with "${printable(Buffer.concat(pieces))}"`)
        if (length < wanted) break
        const all = Buffer.concat(pieces)
        yield all.subarray(4, wanted)
        pieces = [all.subarray(wanted)]
        length = all.length - wanted
      }
    }
  } catch (error) {
    if (error instanceof Malformed) throw error
    // a connection that breaks ends like one that is closed
  }
}

/** A shell that is none says so in words: `This account is currently not available.` */
const printable = (piece: Buffer): string =>
  piece
    .subarray(0, WORDS_LENGTH_MAX)
    .toString('latin1')
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim()
