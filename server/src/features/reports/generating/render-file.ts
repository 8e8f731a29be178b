import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { Refusal } from '#platform/errors.ts'
import { REFUSED, type ProcessOrder, type RenderOrder } from './render-order.ts'

const PROGRAM = fileURLToPath(new URL('render-process.ts', import.meta.url))
const HEAP_MB_MAX = 512
const PIECE_BYTES = 1_048_576

/**
 * Makes the file of a dataset in a process of its own, which takes processor time that nobody else wants and gives all of
 * its memory back; in pieces of at most 1 MiB. A piece is valid until the next one is asked for, which is written into
 * the same memory. The process ends with the caller or the signal.
 */
export async function* renderFile(
  order: RenderOrder,
  {
    signal,
    heapMegabytes = HEAP_MB_MAX,
  }: { readonly signal?: AbortSignal; readonly heapMegabytes?: number } = {},
): AsyncGenerator<Uint8Array> {
  const { dataset, ...rest } = order
  const told = { ...rest, bytes: dataset.length } satisfies ProcessOrder
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${heapMegabytes}`, '--max-semi-space-size=8', PROGRAM, JSON.stringify(told)],
    { env: environment(), stdio: 'pipe', killSignal: 'SIGKILL', ...(signal && { signal }) },
  )
  const ending = faultOf(child)
  // when it ends before it has read everything, its end says why
  child.stdin.on('error', () => undefined).end(dataset)
  try {
    yield* inPieces(child.stdout)
    const fault = await ending
    if (fault !== undefined) throw signal?.aborted ? signal.reason : fault
  } finally {
    child.kill('SIGKILL')
  }
}

/** No secrets; only where this process keeps the modules that it has compiled, if it does. */
function environment(): Record<string, string> {
  const folder = getCompileCacheDir()
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}

async function* inPieces(stream: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  const piece = new Uint8Array(PIECE_BYTES)
  let length = 0
  for await (const bytes of stream) {
    for (let at = 0; at < bytes.length;) {
      const part = bytes.subarray(at, at + PIECE_BYTES - length)
      piece.set(part, length)
      length += part.length
      at += part.length
      if (length < PIECE_BYTES) continue
      yield piece
      length = 0
    }
  }
  if (length > 0) yield piece.subarray(0, length)
}

/** Why the file is not whole, once the process has ended; undefined: it is. */
async function faultOf(child: ChildProcessWithoutNullStreams): Promise<unknown> {
  try {
    const [said, [code, killedBy]] = await Promise.all([text(child.stderr), once(child, 'close')])
    if (code === 0) return undefined
    if (code === REFUSED) return new Refusal(500, 'report_failed', said)
    if (said.includes(OUT_OF_MEMORY)) return tooLarge
    return new Error(`the process that makes a file ended with ${code ?? killedBy}: ${said}`)
  } catch (error) {
    return error
  }
}

/** What V8 says last. */
const OUT_OF_MEMORY = 'JavaScript heap out of memory'

const tooLarge = new Refusal(
  500,
  'report_too_large',
  `the file needs more than ${HEAP_MB_MAX} MB of memory; choose fewer assets, or CSV, XML or Excel`,
)
