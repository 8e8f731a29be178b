import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A process of its own that receives: most events are acknowledged at once, one in fifty only at the second request,
 * one in five hundred never. It tells its address, and on a message what it has seen.
 */
export interface Seen {
  /** By event id, of those acknowledged: how often. */
  readonly acknowledged: ReadonlyMap<string, number>
  /** Of the event that was sent most often. */
  readonly requestsMax: number
}

const STUBBORN_ONE_IN = 500
const LATE_ONE_IN = 50
const ANSWER_WITHIN_MS = 20

const requests = new Map<string, number>()
const acknowledged = new Map<string, number>()
const increment = (counts: Map<string, number>, id: string): number => {
  const count = (counts.get(id) ?? 0) + 1
  counts.set(id, count)
  return count
}

function isAccepted(id: string, count: number): boolean {
  const draw = Number.parseInt(id.slice(0, 8), 16)
  if (draw % STUBBORN_ONE_IN === 0) return false
  return draw % LATE_ONE_IN !== 0 || count > 1
}

const server = createServer((request, response) => {
  const id = String(request.headers['x-service-event-id'])
  const isGood = isAccepted(id, increment(requests, id))
  if (isGood) increment(acknowledged, id)
  request.resume()
  request.on('end', () => {
    setTimeout(() => response.writeHead(isGood ? 200 : 503).end(), Math.random() * ANSWER_WITHIN_MS)
  })
})
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`)
})
process.on('message', () => {
  const requestsMax = [...requests.values()].reduce((most, count) => Math.max(most, count), 0)
  process.send?.({ acknowledged, requestsMax } satisfies Seen)
})
process.on('disconnect', () => process.exit())
