import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A process of its own that answers webhooks: `/hung` never, everything else at once. It tells its address, and then
 * on each message what has arrived since the one before.
 */
export interface Arrivals {
  readonly count: number
  /** When the first of them did, in milliseconds since 1970. */
  readonly firstAt: number
  /** How many event ids arrived for the first time. */
  readonly distinct: number
  /** Only of paths that begin with `/timed`: event id and when, in milliseconds since 1970. */
  readonly timed: readonly (readonly [string, number])[]
}

const seen = new Set<string>()
let count = 0
let firstAt = Number.NaN
let distinct = 0
let timed: [string, number][] = []

const server = createServer((request, response) => {
  const id = String(request.headers['x-service-event-id'])
  if (request.url?.startsWith('/timed')) timed.push([id, performance.timeOrigin + performance.now()])
  request.resume()
  request.on('end', () => {
    if (request.url === '/hung') return
    if (count === 0) firstAt = performance.timeOrigin + performance.now()
    count += 1
    if (!seen.has(id)) distinct += 1
    seen.add(id)
    response.end()
  })
})
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
process.on('message', () => {
  const arrivals: Arrivals = { count, firstAt, distinct, timed }
  count = 0
  distinct = 0
  timed = []
  process.send?.(arrivals)
})
process.on('disconnect', () => process.exit())
