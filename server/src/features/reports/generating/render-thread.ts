import { parentPort, workerData } from 'node:worker_threads'
import { Refusal } from '#platform/errors.ts'
import { openDataset } from '../dataset/open-dataset.ts'
import { renderers } from '../formats/all.ts'
import { fontReaders } from '../printing/operator-fonts.ts'
import type { ReportFormat } from '../report.ts'

export interface RenderOrder {
  readonly format: ReportFormat
  /** Of a dataset, deflated. It is handed over to the thread: its caller must not read it afterwards. */
  readonly dataset: Uint8Array<ArrayBuffer>
  /** SHA-256 of its lines, hexadecimal. */
  readonly digest: string
  /** With the fonts of the operator that the dataset names. */
  readonly fontsFolder?: string | undefined
}

/** Bytes of the file from the start of the buffer on. It is given back when they were taken, to be filled again. */
export interface FilePiece {
  readonly content: Uint8Array<ArrayBuffer>
  readonly length: number
}

/** What the thread says: a piece, answered with its buffer; the end of the file; or why there is none. */
export type FromRenderer = FilePiece | 'end' | { readonly refused: string }

const PIECE_BYTES = 1_048_576

/** One buffer goes to and fro between the threads, so that a large file leaves no garbage of its size in either. */
class FilePieces {
  #content = new Uint8Array(PIECE_BYTES)
  #length = 0

  async add(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      const part = bytes.subarray(at, at + PIECE_BYTES - this.#length)
      this.#content.set(part, this.#length)
      this.#length += part.length
      at += part.length
      if (this.#length === PIECE_BYTES) await this.send()
    }
  }

  async send(): Promise<void> {
    if (this.#length === 0) return
    this.#content = await exchanged({ content: this.#content, length: this.#length })
    this.#length = 0
  }
}

function exchanged(piece: FilePiece): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve) => {
    parentPort?.once('message', resolve)
    parentPort?.postMessage(piece satisfies FromRenderer, [piece.content.buffer])
  })
}

async function render({ format, dataset, digest, fontsFolder }: RenderOrder): Promise<void> {
  const pieces = new FilePieces()
  const opened = await openDataset(dataset, digest)
  for await (const part of renderers[format](opened, fontReaders(fontsFolder, opened.about.fonts)))
    await pieces.add(typeof part === 'string' ? Buffer.from(part) : part)
  await pieces.send()
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
