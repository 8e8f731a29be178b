import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { Caller } from '#test/support/http/api-client.ts'
import { testApp, sharedTestApp } from '#test/support/app/test-app.ts'
import { announceNode } from '../jobs/cluster-members.ts'

const shared = sharedTestApp()
let anyone: Caller
beforeAll(() => {
  anyone = shared().as()
})

test('a process that runs is live, whoever asks, however often', async () => {
  const answer = await anyone.send('GET', '/healthz')
  expect(answer).toMatchObject({ status: 200, body: { status: 'ok' } })
  expect(answer.headers).not.toHaveProperty('x-ratelimit-limit')
})

test('it is ready when the database is up to date and somebody works', async () => {
  const { as, runtime } = await testApp()
  const ready = () => as().send('GET', '/readyz')
  const nobody = { database: 'ok', migrations: 'ok', worker: 'none is running' }
  expect(await ready()).toMatchObject({ status: 503, body: { status: 'unavailable', checks: nobody } })
  const door = await announceNode(runtime.system, ['api'])
  expect((await ready()).status).toBe(503)
  const worker = await announceNode(runtime.system, ['worker'])
  expect(await ready()).toMatchObject({ status: 200, body: { status: 'ok', checks: { worker: 'ok' } } })
  await runtime.system.db.run(sql`update nodes set beat_at = now() - interval '1 hour'`)
  expect((await ready()).status).toBe(503)
  await Promise.all([door.stop(), worker.stop()])
})

test('metrics label requests by route, never by text of the request', async () => {
  await anyone.get('/no-such-path-4711')
  const { status, headers, text } = await anyone.send('GET', '/metrics')
  expect(status).toBe(200)
  expect(headers['content-type']).toMatch(/^text\/plain/)
  expect(text).toMatch(/rollcall_http_requests_total\{method="GET",route="none",status="401"\} \d/)
  for (const name of [
    'rollcall_http_request_seconds_bucket',
    'rollcall_rate_limit_denials_total',
    'rollcall_jobs{state="waiting"}',
    'rollcall_database_connections{pool="app",state="open"}',
    'process_resident_memory_bytes',
    'nodejs_eventloop_lag_seconds',
  ])
    expect(text).toContain(name)
  expect(text).not.toContain('4711')
})

test.each(['x-forwarded-for', 'forwarded'])(
  'the metrics are not for whom a proxy speaks (%s)',
  async (header) => {
    const answer = await anyone.send('GET', '/metrics', { headers: { [header]: '127.0.0.1' } })
    expect(answer).toMatchObject({ status: 404, body: { error: 'not_found' } })
  },
)

test('the metrics are for whom a proxy speaks where they show the token of the operator', async () => {
  const metricsToken = 'm'.repeat(40)
  const { as } = await testApp({ http: { metricsToken } })
  const ask = async (authorization: string): Promise<number> => {
    const headers = { 'x-forwarded-for': '192.0.2.7', authorization }
    return (await as().send('GET', '/metrics', { headers })).status
  }
  expect(await ask(`Bearer ${metricsToken}`)).toBe(200)
  expect(await ask(`Bearer ${metricsToken}m`)).toBe(404)
  expect(await ask(metricsToken)).toBe(404)
  expect(await ask('Bearer undefined')).toBe(404)
})
