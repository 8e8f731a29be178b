import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A process of its own that acknowledges requests and tells, on a message, how often each idempotency key came. */
export type KeysSeen = ReadonlyMap<string, number>

const seen = new Map<string, number>()
const server = createServer((request, response) => {
  const key = String(request.headers['idempotency-key'])
  seen.set(key, (seen.get(key) ?? 0) + 1)
  request.resume()
  request.on('end', () => response.end())
})
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
})
process.on('message', () => process.send?.(seen))
process.on('disconnect', () => process.exit())
