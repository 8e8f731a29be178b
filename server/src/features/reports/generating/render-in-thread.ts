import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Refusal } from '#platform/errors.ts'
import type { FromRenderer, RenderOrder } from './render-thread.ts'

const HEAP_MB_MAX = 512

/**
 * Makes the file of a dataset in a thread of its own, so that seconds of work hold up nobody's lease; in pieces of at
 * most 1 MiB. A piece is valid until the next one is asked for, which is written into the same memory. The thread ends
 * with the caller or the signal.
 */
export async function* renderInThread(order: RenderOrder, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const dataset = ofItsOwn(order.dataset)
  const thread = new Worker(new URL('render-thread.ts', import.meta.url), {
    workerData: { ...order, dataset } satisfies RenderOrder,
    transferList: [dataset.buffer],
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX, maxYoungGenerationSizeMb: 8 },
  })
  try {
    const messages = on(thread, 'message', { ...(signal && { signal }), close: ['exit'] })
    for await (const [said] of messages) {
      const message = said as FromRenderer
      if (message === 'end') return
      if ('refused' in message) throw new Refusal(500, 'report_failed', message.refused)
      yield message.content.subarray(0, message.length)
      thread.postMessage(message.content, [message.content.buffer])
    }
    throw new Error('the thread that renders a report ended before the file')
  } catch (error) {
    throw causeOf(error, signal)
  } finally {
    await thread.terminate()
  }
}

/** With all of its buffer: a small one may be a part of one that others use. */
const ofItsOwn = (bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
  bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)

function causeOf(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason
  if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY')
    return new Refusal(
      500,
      'report_too_large',
      `the file needs more than ${HEAP_MB_MAX} MB of memory; choose fewer assets, or CSV, XML or Excel`,
    )
  return error
}
