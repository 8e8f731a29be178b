import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { createKey } from '#features/api-keys/api-keys.ts'
import { createEndpoint } from '#features/webhooks/webhooks.ts'
import { createTarget } from '#features/scans/scans.ts'
import { openLog } from '#platform/observability/log.ts'
import { openTracing } from '#platform/observability/open-telemetry.ts'
import { traced, traceparentOf, type Trace } from '#platform/observability/trace.ts'
import { testApp } from './support/app/test-app.ts'
import { receiver } from './support/http/webhook-receiver.ts'
import { traceReceiver, type ReceivedSpan } from './support/observability/trace-receiver.ts'
import { onDatabase, serve, until } from './support/processes/rollcall-process.ts'

const TOKEN = 'collector-token-4711'
const CALLER = '4bf92f3577b34da6a3ce929d0e0e4736'
const BATCH_MS = 60_000

test('request, job, probe and delivery are spans of the right traces, without a word of assets or secrets', async () => {
  const secretKey = randomBytes(32).toString('hex')
  const { where, newTenant } = await testApp({ secretKey })
  const ctx = await newTenant()
  const { secret: key } = await createKey(ctx, { name: 'k', scopes: ['admin'] })
  const traces = await traceReceiver()
  const hook = await receiver(async () => 200)
  const server = await serve({
    ...onDatabase(where, secretKey),
    WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8',
    OTEL_EXPORTER_OTLP_ENDPOINT: traces.address,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${TOKEN}`,
    OTEL_SERVICE_NAME: 'inventory',
    OTEL_BSP_SCHEDULE_DELAY: '200',
  })
  const ask = async (method: string, path: string, body?: object, headers = {}) => {
    const answer = await fetch(`${server.address}/api/v1${path}`, {
      method,
      headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    expect([path, answer.ok]).toEqual([path, true])
    await answer.arrayBuffer()
  }
  await createEndpoint(ctx, { name: 'ops', url: `${hook.url}/s3cret-path`, events: ['NEW_ASSET'] })
  await ask('POST', '/assets', { name: 'hidden-name-9', assetType: 'device', vendor: 'SN-HIDDEN-9' })
  await ask('GET', '/assets?search=hidden-name-9')
  const { id: target } = await createTarget(ctx, { name: 'here', cidr: '127.0.0.1/32' })
  const scan = { type: 'sweep', target }
  await ask('POST', '/scans', scan, { traceparent: `00-${CALLER}-00f067aa0ba902b7-01` })

  const find = (name: string) => until(() => traces.spans.find((it) => it.name === name), BATCH_MS)
  const [request, probe, delivery, list] = await Promise.all(
    ['POST /api/v1/scans', 'probe sweep', 'delivery', 'GET /api/v1/assets'].map(find),
  )
  const job = traces.spans.find(({ spanId }) => spanId === probe?.parentSpanId)
  expect(request).toMatchObject({
    traceId: CALLER,
    parentSpanId: '00f067aa0ba902b7',
    kind: 2,
    attributes: {
      'http.route': '/api/v1/scans',
      'http.response.status_code': 201,
      'rollcall.tenant': ctx.tenantId,
    },
  })
  expect(job).toMatchObject({ traceId: CALLER, parentSpanId: request?.spanId, kind: 5 })
  expect(job?.name).toMatch(/^job scans\./)
  expect(probe).toMatchObject({ traceId: CALLER, attributes: { 'rollcall.attempt': 1 } })
  expect(delivery).toMatchObject({
    kind: 3,
    attributes: {
      'rollcall.event.type': 'NEW_ASSET',
      'http.response.status_code': 200,
      'server.address': '127.0.0.1',
    },
  })
  expect(list).toMatchObject({ kind: 2, attributes: { 'http.response.status_code': 200 } })
  expect(traces.spans.every(isInOrder)).toBe(true)
  expect(traces.resource()).toMatchObject({
    'service.name': 'inventory',
    'service.version': expect.any(String),
  })
  expect(traces.faults).toEqual([])
  const text = traces.text()
  expect(text).toContain(`Bearer ${TOKEN}`)
  for (const word of [key, secretKey, 'hidden-name-9', 'SN-HIDDEN-9', 's3cret-path'])
    expect(text).not.toContain(word)
}, 120_000)

const isInOrder = ({ startTimeUnixNano, endTimeUnixNano }: ReceivedSpan): boolean =>
  BigInt(startTimeUnixNano) <= BigInt(endTimeUnixNano)

async function tracing(share = 1) {
  const traces = await traceReceiver()
  const more = { headers: {}, serviceName: 'x', version: '1', instance: 'i', log: openLog('silent') }
  return { traces, trace: openTracing({ ...more, endpoint: `${traces.address}/`, share }) }
}

test('a failure is told by its class alone', async () => {
  const { traces, trace } = await tracing()
  const failing = traced({ trace: trace as Trace }, 'work', {
    attributes: { n: 3, isBig: false },
    work: async (ctx) => {
      await traced(ctx, 'part', { work: async () => {} })
      throw new TypeError('the serial SN-1 is wrong')
    },
  })
  await expect(failing).rejects.toThrow('SN-1')
  await trace.close()
  const [part, work] = traces.spans
  expect(work).toMatchObject({
    name: 'work',
    status: { code: 2 },
    attributes: { n: 3, isBig: false, 'error.type': 'TypeError' },
  })
  expect(part).toMatchObject({ name: 'part', traceId: work?.traceId, parentSpanId: work?.spanId })
  expect(traces.text()).not.toContain('SN-1')
})

test.each([
  [undefined, false],
  ['', false],
  ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', true],
  ['00-00000000000000000000000000000000-00f067aa0ba902b7-01', false],
  ['01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', false],
  ['00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01', false],
])('the traceparent %s is followed: %s', async (parent, isFollowed) => {
  const { trace } = await tracing()
  expect(trace.begin('x', { parent }).traceId === CALLER).toBe(isFollowed)
  await trace.close()
})

test('a trace that its caller does not keep is not kept, nor any with a share of 0', async () => {
  const { traces, trace } = await tracing(0)
  trace.begin('new').end()
  trace.begin('kept', { parent: `00-${CALLER}-00f067aa0ba902b7-01` }).end()
  trace.begin('dropped', { parent: `00-${CALLER}-00f067aa0ba902b7-00` }).end()
  await trace.close()
  expect(traces.spans.map(({ name }) => name)).toEqual(['kept'])
})

test('where nobody takes traces, work goes on and the log says so', async () => {
  const warnings: unknown[] = []
  const log = { ...openLog('silent'), warn: (entry: unknown) => void warnings.push(entry) } as never
  const options = { headers: {}, serviceName: 'x', version: '1', instance: 'i', share: 1, log }
  const trace = openTracing({ ...options, endpoint: 'http://127.0.0.1:9' })
  onTestFinished(() => trace.close())
  expect(await traced({ trace }, 'work', { work: async (ctx) => traceparentOf(ctx) })).toMatch(/^00-/)
  await trace.close()
  expect(warnings).toMatchObject([{ spans: 1 }])
})

test('what is not traced has no parent for its jobs', async () => {
  expect(await traced({}, 'work', { work: async (ctx) => traceparentOf(ctx) })).toBeUndefined()
})
