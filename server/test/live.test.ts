import { afterEach, beforeEach, expect, test } from 'vitest'
import { cancelScan, createScan, createTarget } from '../src/features/scans/scans.ts'
import type { ContextOf } from '../src/startup/http-server.ts'
import type { Ctx } from '../src/platform/context.ts'
import { unauthorized } from '../src/platform/errors.ts'
import { openEventStream } from './support/http/event-stream.ts'
import { testApp, type TestApp } from './support/app/test-app.ts'
import { restRecordFactories } from './support/api-coverage/rest-record-factories.ts'
import { believed, headersOf, inTenant } from './support/http/graphql-client.ts'

let there: TestApp
let ctx: Ctx
let isSignedOut: boolean
let endings: (() => Promise<void>)[]
beforeEach(async () => {
  isSignedOut = false
  endings = []
  there = await testApp({
    atEnd: (end) => void endings.unshift(end),
    contextOf: (it): ContextOf => {
      const known = believed(it)
      return (asked) => (isSignedOut ? Promise.reject(unauthorized('sign in first')) : known(asked))
    },
  })
  ctx = await there.newTenant()
})

afterEach(() => close())

async function close(): Promise<void> {
  for (const end of endings.splice(0)) await end()
}

const listen = async (headers: Record<string, string>) =>
  openEventStream(`${await there.address()}${inTenant('/live')}`, headers)

const noHeader = (headers: Record<string, string>) => ({ cookie: headers['cookie'] ?? '' })

test('news of scans and assets come as they happen, of the own tenant alone', async () => {
  const other = await there.newTenant()
  const stream = await listen(noHeader(headersOf(ctx)))
  expect([stream.status, stream.type]).toEqual([200, 'text/event-stream'])
  expect(await stream.next('assets')).toEqual({ total: 0, newest: [] })
  await restRecordFactories['assets']?.(other)
  const id = await restRecordFactories['assets']?.(ctx)
  const found = await stream.next('assets', ({ total }) => total === 1)
  expect(found).toMatchObject({ newest: [{ id, assetType: 'device' }] })
  const target = await createTarget(ctx, { name: 't', cidr: '192.0.2.0/30' })
  const scan = await createScan(ctx, { type: 'sweep', targetId: target.id })
  const isIt = (status: string) => (data: Record<string, unknown>) =>
    (data['scans'] as { id: string; status: string }[]).some(
      (it) => it.id === scan.id && it.status === status,
    )
  expect(await stream.next('scan', isIt('pending'))).toMatchObject({
    scans: [{ id: scan.id, progress: null }],
  })
  await cancelScan(ctx, scan.id)
  expect(await stream.next('scan', isIt('cancelled'))).toBeDefined()
})

test('what may not be seen is not told', async () => {
  const stream = await listen(noHeader(headersOf(ctx, ['scans:read'])))
  expect(await stream.next('scan')).toEqual({ scans: [] })
  await restRecordFactories['assets']?.(ctx)
  await restRecordFactories['scans']?.(ctx)
  const seen = await stream.next('scan', ({ scans }) => (scans as object[]).length === 1)
  expect(seen).toBeDefined()
})

test('HEAD leaves no stream open', async () => {
  const headers = noHeader(headersOf(ctx))
  const url = `${await there.address()}${inTenant('/live')}`
  for (let n = 0; n <= 12; n++) {
    const { status, headers: told } = await fetch(url, { method: 'HEAD', headers })
    expect([status, told.get('content-type')]).toEqual([200, 'text/event-stream'])
  }
  const stream = await listen(headers)
  expect(await stream.next('assets')).toBeDefined()
})

test('a stream ends with the session', async () => {
  const stream = await listen(noHeader(headersOf(ctx)))
  await stream.next('assets')
  isSignedOut = true
  await restRecordFactories['assets']?.(ctx)
  expect(await stream.next('assets')).toBeUndefined()
})

test('a stream ends when the door closes', async () => {
  const stream = await listen(noHeader(headersOf(ctx)))
  await stream.next('assets')
  await close()
  expect(await stream.next('never')).toBeUndefined()
})

test('nobody listens without a session, with a key, or from another site, and nobody a dozen times over', async () => {
  const own = noHeader(headersOf(ctx))
  expect((await listen({})).status).toBe(401)
  expect((await listen({ ...own, 'x-api-key': await there.key(ctx) })).status).toBe(403)
  expect((await listen({ ...own, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await listen({ ...own, origin: 'https://elsewhere.example' })).status).toBe(403)
  const streams = await Promise.all(Array.from({ length: 12 }, () => listen(own)))
  expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200))
  expect((await listen(own)).status).toBe(429)
})
