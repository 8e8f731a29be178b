import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { features } from '../src/app.ts'
import { openHttpServer } from '../src/startup/http-server.ts'
import { callerAt } from './support/http/api-client.ts'
import { counting } from './support/app/query-counter.ts'
import { testApp } from './support/app/test-app.ts'
import { restRecordFactories, queries } from './support/api-coverage/rest-record-factories.ts'

const THINGS = 5
const routes = features.flatMap(({ rest }) => rest ?? []).filter(({ method }) => method === 'GET')

test('each list asks the database as often as rest-query-counts.json says, however long it is', async () => {
  const committed: unknown = JSON.parse(
    readFileSync(join(import.meta.dirname, 'support/api-coverage/rest-query-counts.json'), 'utf8'),
  )
  const counts: Record<string, number> = {}
  const { runtime, newTenant, key } = await testApp()
  const ctx = await newTenant()
  const ids = new Map<string, string>()
  for (const [noun, make] of Object.entries(restRecordFactories))
    for (let n = 0; n < THINGS; n += 1) ids.set(noun, await make(ctx))
  const counter = { queries: 0 }
  const door = await openHttpServer(
    { host: '127.0.0.1', port: 0, rateLimitPerMinute: 1_000, trustedProxies: [] },
    counting(runtime, counter),
  )
  const caller = callerAt(() => Promise.resolve(door.address), await key(ctx))
  for (const { path } of routes) {
    const whole = path.replaceAll(/([\w-]+)\/:\w+/g, (_, noun: string) => `${noun}/${ids.get(noun)}`)
    counter.queries = 0
    const answer = await caller.get(`${whole}${queries[`GET ${path}`] ?? ''}`)
    expect(answer.status).toBe(200)
    counts[`GET ${path}`] = counter.queries
  }
  await door.close()
  // a count may fall, and then the file says so; it rises only with a reason that a review accepts
  expect(counts).toEqual(committed)
})
