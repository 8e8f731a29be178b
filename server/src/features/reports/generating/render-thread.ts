import { parentPort, workerData } from 'node:worker_threads'
import { Refusal } from '#platform/errors.ts'
import { openDataset } from '../dataset/open-dataset.ts'
import { renderers } from '../formats/all.ts'
import type { ReportFormat } from '../report.ts'

export interface RenderOrder {
  readonly format: ReportFormat
  /** Of a dataset, deflated. */
  readonly dataset: Uint8Array
  /** SHA-256 of its lines, hexadecimal. */
  readonly digest: string
}

/** What the thread says: a piece, answered when it was taken; the end of the file; or why there is none. */
export type FromRenderer = Uint8Array | 'end' | { readonly refused: string }

const PIECE_BYTES = 1_048_576

async function render({ format, dataset, digest }: RenderOrder): Promise<void> {
  let parts: Uint8Array[] = []
  let length = 0
  const send = async (): Promise<void> => {
    const whole = Buffer.concat(parts)
    for (let at = 0; at < whole.length; at += PIECE_BYTES) await tell(whole.subarray(at, at + PIECE_BYTES))
    parts = []
    length = 0
  }
  for await (const part of renderers[format](await openDataset(dataset, digest))) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part
    parts.push(bytes)
    length += bytes.length
    if (length >= PIECE_BYTES) await send()
  }
  await send()
}

function tell(piece: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    parentPort?.once('message', () => resolve())
    // a copy of its own, which is handed over: of a part of a buffer the whole would be sent
    const own = new Uint8Array(piece) satisfies FromRenderer
    parentPort?.postMessage(own, [own.buffer])
  })
}

async function answer(): Promise<FromRenderer> {
  try {
    await render(workerData as RenderOrder)
    return 'end'
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { refused: error.message }
  }
}

parentPort?.postMessage(await answer())
parentPort?.close()
