import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A process of its own that acknowledges requests and tells, on a message, what it has seen. */
export interface Seen {
  /** How often each idempotency key came. */
  readonly keys: ReadonlyMap<string, number>
  /** Of events that say when they were emitted (`emitted-at MILLISECONDS`): how long they took until here. */
  readonly delaysMs: readonly number[]
}

const keys = new Map<string, number>()
const delaysMs: number[] = []

const server = createServer((request, response) => {
  const at = Date.now()
  const key = request.headers['idempotency-key']
  if (key !== undefined) keys.set(String(key), (keys.get(String(key)) ?? 0) + 1)
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const [, emittedAt] = /emitted-at (\d+)/.exec(Buffer.concat(parts).toString()) ?? []
    if (emittedAt !== undefined) delaysMs.push(at - Number(emittedAt))
    response.end()
  })
})
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
})
process.on('message', () => process.send?.({ keys, delaysMs } satisfies Seen))
process.on('disconnect', () => process.exit())
