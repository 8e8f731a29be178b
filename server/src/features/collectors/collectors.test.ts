import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { begin, noteMoved } from '#platform/cells/moving/move-store.ts'
import { withOwner } from '#platform/database/connect-primary.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import {
  assign,
  createCollector,
  deleteCollector,
  equally,
  listCollectors,
  revokeCollector,
} from './collectors.ts'
import { held, removeOfOthers } from './assignments/assignment-store.ts'
import { enrolled, newConnection, refused } from './collectors.fixture.ts'

const home = sharedTestApp()
const never = new AbortController().signal
/** Of a message, as the database keeps numbers. */
const HIGHEST_NUMBER = 2 ** 31 - 1

test('a secret enrols one key, once, within a day; the same key again is the same collector', async () => {
  const ctx = await home().newTenant()
  const { collector, secret } = await createCollector(ctx, { name: 'Oslo' })
  const first = await newConnection(home())
  expect(await first.enrol(secret)).toEqual({ collector_id: collector.id })
  expect(await first.enrol(secret)).toEqual({ collector_id: collector.id })
  const second = await newConnection(home())
  await expect(second.enrol(secret)).rejects.toMatchObject(refused(403, 'forbidden'))
  await expect(second.enrol('rcc_'.padEnd(68, '0'))).rejects.toMatchObject(refused(403, 'forbidden'))
  const late = await createCollector(ctx, { name: 'Late' })
  await ctx.db.run(sql`update collector_keys set enrolment_ends_at = now() where tenant_id = ${ctx.tenantId}`)
  await expect(second.enrol(late.secret)).rejects.toMatchObject(refused(403, 'forbidden'))
})

test('of two processes with one identity one is given work, and the other is told and noted', async () => {
  const ctx = await home().newTenant()
  const { poll, collectorId, process } = await enrolled(home(), ctx, 'Oslo')
  const work = () => assign(ctx, equally([collectorId]), { subject: randomUUID(), work: {} }, never)
  const heard = (secondsAgo: number) =>
    ctx.db.run(sql`
      update collectors set last_seen_at = clock_timestamp() - make_interval(secs => ${secondsAgo})
      where tenant_id = ${ctx.tenantId}`)
  await heard(0)
  await work()
  expect(await poll(process)).toMatchObject({ assignments: [{ work: {} }] })
  const copy = randomUUID()
  await work()
  expect(await poll(copy)).toMatchObject({ assignments: [{ work: {} }] })
  expect(await listCollectors(ctx)).toMatchObject([{ sharedAt: null }])
  await expect(poll(process)).rejects.toMatchObject(refused(409, 'superseded'))
  await expect(poll(process)).rejects.toMatchObject(refused(409, 'superseded'))
  expect(await listCollectors(ctx)).toMatchObject([{ sharedAt: expect.any(String) }])
  const noted = await ctx.db.all(sql`
    select from audit_entries where tenant_id = ${ctx.tenantId} and action = 'collector.identity_shared'`)
  expect(noted).toHaveLength(1)
  const sharedAt = async () => (await listCollectors(ctx))[0]?.sharedAt
  const since = await sharedAt()
  await expect(poll(process)).rejects.toMatchObject(refused(409, 'superseded'))
  expect(await sharedAt()).toBe(since)
  // started anew by whatever keeps it running: it does not take the place back
  await expect(poll(randomUUID())).rejects.toMatchObject(refused(409, 'superseded'))
  await work()
  await heard(31)
  expect(await poll(randomUUID())).toMatchObject({ assignments: [{ work: {} }] })
})

test.each([
  [
    'another key than the one that signs',
    { public_key: Buffer.alloc(32).toString('base64') },
    'signature_profile',
  ],
  [
    'a key of another curve',
    { exchange_key: { kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43) } },
    'invalid_request',
  ],
  [
    'a private key',
    { exchange_key: { kty: 'OKP', crv: 'X25519', x: 'A'.repeat(43), d: 'A' } },
    'invalid_request',
  ],
])('%s is refused', async (_, changes, code) => {
  const { secret } = await createCollector(await home().newTenant(), { name: 'Oslo' })
  const { enrol } = await newConnection(home())
  await expect(enrol(secret, changes)).rejects.toMatchObject(refused(400, code))
})

test('an unknown key and a revoked collector get nothing', async () => {
  const ctx = await home().newTenant()
  const stranger = await newConnection(home())
  await expect(stranger.poll(randomUUID())).rejects.toMatchObject(refused(401, 'unknown_key'))
  const { poll, process, collectorId } = await enrolled(home(), ctx, 'Oslo')
  await revokeCollector(ctx, collectorId)
  await expect(poll(process)).rejects.toMatchObject(refused(403, 'revoked'))
})

test('a collector of a tenant that was moved is told so, enrolled or about to be', async () => {
  const ctx = await home().newTenant()
  const { poll, process } = await enrolled(home(), ctx, 'Oslo')
  const { secret } = await createCollector(ctx, { name: 'Late' })
  const { runtime, where } = home()
  const address = 'https://two.example.org'
  await begin(runtime.system, { id: ctx.tenantId, slug: `moved-${ctx.tenantId}`, cell: 2, address })
  await withOwner(where, (client) => noteMoved(client, ctx.tenantId))
  const elsewhere = refused(421, 'misdirected_request')
  await expect(poll(process)).rejects.toMatchObject(elsewhere)
  await expect((await newConnection(home())).enrol(secret)).rejects.toMatchObject(elsewhere)
})

test('work goes to its collector alone, and only the process that took it may speak of it', async () => {
  const ctx = await home().newTenant()
  const [mine, other] = [await enrolled(home(), ctx, 'Oslo'), await enrolled(home(), ctx, 'Bergen')]
  const foreign = await enrolled(home(), await home().newTenant(), 'Paris')
  await Promise.all([mine, other, foreign].map((it) => it.poll(it.process)))
  const work = { type: 'sweep', text: 'a NUL \0 and half a pair \ud800' }
  onTestFinished((await assign(ctx, equally([mine.collectorId]), { subject: 'scan', work }, never)).close)
  const news = await mine.poll(mine.process)
  const [taken] = news['assignments'] as { id: string; work: unknown }[]
  expect(taken?.work).toEqual(work)
  const assignment = taken?.id ?? ''
  const messages = [{ number: HIGHEST_NUMBER, kind: 'raw', text: 'a NUL \0' }]
  for (const it of [other, foreign])
    await expect(it.messages({ assignment, process: it.process, messages })).rejects.toMatchObject(
      refused(404, 'not_found'),
    )
  const elsewhere = mine.messages({ assignment, process: randomUUID(), messages })
  await expect(elsewhere).rejects.toMatchObject(refused(404, 'not_found'))
  expect(await mine.messages({ assignment, process: mine.process, messages })).toEqual({ taken: 1 })
  expect(await mine.poll(randomUUID(), [assignment])).toMatchObject({ over: [assignment] })
})

test('the process that lost its place drops nothing of the one that has it', async () => {
  const ctx = await home().newTenant()
  const { poll, collectorId, process } = await enrolled(home(), ctx, 'Oslo')
  const copy = randomUUID()
  await poll(process)
  onTestFinished((await assign(ctx, equally([collectorId]), { subject: 'scan', work: {} }, never)).close)
  const news = await poll(copy)
  const [taken] = news['assignments'] as { id: string }[]
  const id = taken?.id ?? ''
  // between its poll and this another process took the place
  await removeOfOthers(ctx, collectorId, process)
  expect(await held(ctx, collectorId, { process: copy, running: [id] })).toEqual([id])
  await removeOfOthers(ctx, collectorId, copy)
  expect(await held(ctx, collectorId, { process: copy, running: [id] })).toEqual([id])
})

test('the one that can do the work best is given it while it is online, else another that can', async () => {
  const ctx = await home().newTenant()
  const [oslo, bergen] = [await enrolled(home(), ctx, 'Oslo'), await enrolled(home(), ctx, 'Bergen')]
  const heard = (id: string, secondsAgo: number) =>
    ctx.db.run(sql`
      update collectors set last_seen_at = clock_timestamp() - make_interval(secs => ${secondsAgo})
      where tenant_id = ${ctx.tenantId} and id = ${id}`)
  const chosen = async () => {
    const capable = new Map([
      [oslo.collectorId, 1],
      [bergen.collectorId, 2],
    ])
    const { collector } = await assign(ctx, capable, { subject: randomUUID(), work: {} }, never)
    return collector.name
  }
  await heard(oslo.collectorId, 0)
  await heard(bergen.collectorId, 0)
  expect([await chosen(), await chosen()]).toEqual(['Bergen', 'Bergen'])
  await heard(bergen.collectorId, 31)
  expect(await chosen()).toBe('Oslo')
})

test('what is sent twice is read once, in its order', async () => {
  const ctx = await home().newTenant()
  const { collectorId, process, poll, messages } = await enrolled(home(), ctx, 'Oslo')
  await poll(process)
  const { messages: read, close } = await assign(
    ctx,
    equally([collectorId]),
    { subject: 'scan', work: {} },
    AbortSignal.timeout(10_000),
  )
  onTestFinished(close)
  const news = await poll(process)
  const assignment = (news['assignments'] as { id: string }[])[0]?.id ?? ''
  const told = [2, 1, 3].map((number) => ({ number, kind: 'end' }))
  await messages({ assignment, process, messages: told })
  const seen: number[] = []
  for await (const { number } of read()) {
    seen.push(number)
    if (seen.length === 3)
      await messages({ assignment, process, messages: [...told, { number: 4, kind: 'end' }] })
    if (number === 4) break
  }
  expect(seen).toEqual([1, 2, 3, 4])
})

test.each([
  ['process', { process: 'x' }],
  ['messages', { messages: [{ number: 0 }] }],
  ['messages', { messages: [{ number: HIGHEST_NUMBER + 1 }] }],
  ['messages', { messages: 'x' }],
])('a request in another form names the field %s', async (field, change) => {
  const { messages, process } = await enrolled(home(), await home().newTenant(), 'Oslo')
  const body = { assignment: randomUUID(), process, messages: [], ...change }
  await expect(messages(body)).rejects.toThrow(`invalid_request ${field}:`)
})

test('names are unique, and a collector without targets can be deleted', async () => {
  const ctx = await home().newTenant()
  const { collector } = await createCollector(ctx, { name: 'Oslo' })
  await expect(createCollector(ctx, { name: 'Oslo' })).rejects.toThrow(
    'there is a collector called Oslo already',
  )
  await deleteCollector(ctx, collector.id)
  await expect(deleteCollector(ctx, collector.id)).rejects.toThrow('collector not found')
})
