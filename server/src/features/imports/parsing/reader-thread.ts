import { parentPort, workerData } from 'node:worker_threads'
import { Refusal } from '#platform/errors.ts'
import { piecesOf, type FileTerms, type Piece } from './reading.ts'

/** What the thread that reads a file says; each is answered before the next. */
export type FromReader =
  /** Answered by the next bytes, or by undefined at the end of the file. */
  | { readonly says: 'more' }
  /** Answered when the piece was taken. */
  | { readonly says: 'piece'; readonly piece: Piece }
  | { readonly says: 'end' }
  | { readonly says: 'refused'; readonly field: string | undefined; readonly message: string }

async function read(terms: FileTerms): Promise<FromReader> {
  try {
    for await (const piece of piecesOf(content(), terms)) await ask({ says: 'piece', piece })
    return { says: 'end' }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { says: 'refused', field: error.extras.field, message: error.message }
  }
}

async function* content(): AsyncIterable<Uint8Array> {
  for (let bytes = await ask({ says: 'more' }); bytes !== undefined; bytes = await ask({ says: 'more' }))
    yield bytes
}

function ask(question: FromReader): Promise<Uint8Array | undefined> {
  return new Promise((resolve) => {
    parentPort?.once('message', resolve)
    parentPort?.postMessage(question)
  })
}

parentPort?.postMessage(await read(workerData as FileTerms))
parentPort?.close()
