import { on } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { invalid, Refusal } from '#platform/errors.ts'
import type { FromReader } from './reader-thread.ts'
import type { FileTerms, Piece } from './reading.ts'

/** Of the thread that reads a file; beside it there are the bytes of a document, which are no heap. */
export const HEAP_MB_MAX = 72
/** A reader that says nothing for so long has met a file that it cannot get through. */
const SILENCE_MS_MAX = 60_000

/**
 * Reads a file in a thread of its own, so that no file holds up other work for longer than it takes to pass on a
 * piece, and none takes more memory than the thread may have. Ends the thread when the caller stops or the signal
 * aborts. Throws a `Refusal` when the file cannot be taken.
 */
export async function* readInThread(
  content: AsyncIterable<Uint8Array>,
  terms: FileTerms,
  signal?: AbortSignal,
): AsyncIterable<Piece> {
  const source = content[Symbol.asyncIterator]()
  const thread = new Worker(new URL('reader-thread.ts', import.meta.url), {
    workerData: terms,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX, maxYoungGenerationSizeMb: 8 },
  })
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), SILENCE_MS_MAX)
  const ended = AbortSignal.any([silence.signal, ...(signal ? [signal] : [])])
  try {
    for await (const [said] of on(thread, 'message', { signal: ended, close: ['exit'] })) {
      clearTimeout(timer)
      const message = said as FromReader
      if (message.says === 'end') return
      if (message.says === 'refused') throw refusalOf(message)
      if (message.says === 'piece') {
        yield message.piece
        // several messages may be received in one turn of the event loop
        await turn()
        thread.postMessage(undefined)
      } else {
        const next = await source.next()
        thread.postMessage(next.done ? undefined : next.value)
      }
      timer = setTimeout(() => silence.abort(), SILENCE_MS_MAX)
    }
    throw new Error('the reader of a file ended before the file')
  } catch (error) {
    throw causeOf(error, silence.signal, signal)
  } finally {
    clearTimeout(timer)
    await thread.terminate()
    await source.return?.()
  }
}

function refusalOf({ field, message }: Extract<FromReader, { says: 'refused' }>): Refusal {
  return new Refusal(400, 'invalid_request', message, field === undefined ? {} : { field })
}

function causeOf(error: unknown, silence: AbortSignal, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason
  if (silence.aborted)
    return invalid('file', `cannot be read: nothing was found in it for ${SILENCE_MS_MAX / 1_000} s`)
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ERR_WORKER_OUT_OF_MEMORY')
    return invalid('file', `needs more than ${HEAP_MB_MAX} MB of memory to be read`)
  return error
}
