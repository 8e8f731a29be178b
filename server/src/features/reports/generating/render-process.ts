/**
 * A program of its own: makes the file of a dataset. The order is its argument, the dataset comes on standard input and
 * the file goes to standard output. It ends with REFUSED, and the sentence for people on standard error, when there is
 * no such file.
 */
import { constants, getPriority, setPriority } from 'node:os'
import { pipeline } from 'node:stream/promises'
import { Refusal } from '#platform/errors.ts'
import { openDataset } from '../dataset/open-dataset.ts'
import { renderers } from '../formats/all.ts'
import { fontReaders } from '../printing/operator-fonts.ts'
import { REFUSED, type ProcessOrder } from './render-order.ts'

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority

const order = JSON.parse(process.argv[2] ?? '') as ProcessOrder
// whoever waits for an answer of the server comes first, also where that gives way to others itself
setPriority(Math.min(PRIORITY_LOW, getPriority() + PRIORITY_BELOW_NORMAL))
try {
  await pipeline(file(order), process.stdout)
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  process.stderr.write(error.message)
  process.exitCode = REFUSED
}

async function* file({
  format,
  bytes,
  digest,
  fontsFolder,
}: ProcessOrder): AsyncGenerator<string | Uint8Array> {
  const dataset = await openDataset(await input(bytes), digest)
  yield* (await renderers[format]())(dataset, fontReaders(fontsFolder, dataset.about.fonts))
}

async function input(bytes: number): Promise<Uint8Array> {
  const content = new Uint8Array(bytes)
  let at = 0
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    content.set(chunk, at)
    at += chunk.length
  }
  return content
}
