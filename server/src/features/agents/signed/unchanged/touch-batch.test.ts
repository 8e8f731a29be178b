import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { atomically, type Ctx } from '#platform/context.ts'
import type { Refusal } from '#platform/errors.ts'
import { sha256 } from '#platform/secrets/random-keys.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { createToken, enrolAgent, revokeAgent, takeReport } from '../../agents.ts'
import { ownKey, revokeKeysOf } from '../agent-key-store.ts'
import { sectionHash } from '../canonical-json.ts'
import { nextIn } from '../next-in.ts'
import { madeFrom, observationIn } from '../section-observation.ts'
import { lockedAgent } from '../signed-agent-store.ts'
import { openTouchBatches, type TouchOutcome } from './touch-batch.ts'
import type { Touch } from './touch-store.ts'

const home = sharedTestApp()
const VERSION = '1.0.0'

/** Hosts that have reported once, and what each says when nothing has changed. */
async function reportedHosts(ctx: Ctx, count: number): Promise<Touch[]> {
  const token = await createToken(ctx, { name: 'token', uses: count })
  const context = { ctx, tokenId: token.token.id, tags: [], needsApproval: false }
  const touches: Touch[] = []
  for (let n = 0; n < count; n++) {
    const publicKey = randomBytes(32)
    const keyId = sha256(publicKey)
    const fingerprint = { serial: keyId.toString('hex').slice(0, 32) }
    const os = { hostname: `host-${n}`, id: 'debian', versionId: '12' }
    const said = { version: VERSION, address: '192.0.2.1', fingerprint }
    await enrolAgent(context, { ...said, keyId, publicKey, counter: 1, hostname: os.hostname })
    const key = await ownKey(ctx, keyId)
    if (!key) throw new Error('the key was not added')
    const hashes = { os: sectionHash(os) }
    await takeReport(ctx, key, {
      ...said,
      hashes,
      changed: { os },
      failed: new Set(),
      isCounterBehind: false,
    })
    const { agentId } = key
    touches.push({
      ...said,
      keyId,
      agentId,
      hashes,
      counter: 2,
      observedFrom: madeFrom(keyId),
      seenAt: new Date(),
    })
  }
  return touches
}

const nextOf = (touch: Touch): Touch => ({
  ...touch,
  counter: touch.counter + 1,
  seenAt: new Date(touch.seenAt.getTime() + 1_000),
})

test('reports without a change are gathered in one transaction, and each counts once', async () => {
  const ctx = await home().newTenant()
  const touches = await reportedHosts(ctx, 40)
  const batches = openTouchBatches()
  const transaction = vi.spyOn(ctx.db, 'transaction')
  const outcomes = await Promise.all(touches.map((it) => batches.touch(ctx, it)))
  expect(new Set(outcomes)).toEqual(new Set(['unchanged']))
  expect(transaction).toHaveBeenCalledOnce()
  const seen = await ctx.db.all(sql<{ isMoved: boolean }>`
    select o.last_seen = t.at and a.last_seen = t.at and g.last_report_at = t.at as "isMoved"
    from unnest(${touches.map((it) => it.agentId)}::uuid[], ${touches.map((it) => it.seenAt)}::timestamptz[]) t (id, at)
    join agents g on g.tenant_id = ${ctx.tenantId} and g.id = t.id
    join asset_observations o on o.tenant_id = ${ctx.tenantId} and o.source_key = g.source_key
    join assets a on a.tenant_id = ${ctx.tenantId} and a.id = o.asset_id`)
  expect(seen).toEqual(touches.map(() => ({ isMoved: true })))

  const again = await Promise.all(touches.map((it) => batches.touch(ctx, it)))
  expect(new Set(again)).toEqual(new Set(['refused']))
  await batches[Symbol.asyncDispose]()
})

test('of two requests of one key at once the one with the lower counter is refused when it comes second', async () => {
  const ctx = await home().newTenant()
  const [touch] = await reportedHosts(ctx, 1)
  if (!touch) throw new Error('one host was asked for')
  const batches = openTouchBatches()
  const both = [nextOf(touch), touch].map((it) => batches.touch(ctx, it))
  expect(await Promise.all(both)).toEqual(['unchanged', 'refused'])
})

test('a report that tells more than that the host is as it was is taken by itself', async () => {
  const ctx = await home().newTenant()
  const hosts = await reportedHosts(ctx, 5)
  const batches = openTouchBatches()
  const different: Partial<Touch>[] = [
    { hashes: { os: 'f'.repeat(32) } },
    { hashes: {} },
    { fingerprint: { serial: 'f'.repeat(32) } },
    { version: '1.0.1' },
    { observedFrom: 'an earlier version of the server' },
  ]
  const outcomes = hosts.map((it, n) => batches.touch(ctx, { ...it, ...different[n] }))
  expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['changed']))
  const counters = await ctx.db.all(sql<{ counter: number }>`
    select counter from agent_keys where tenant_id = ${ctx.tenantId}`)
  expect(counters.map(({ counter }) => counter)).toEqual([2, 2, 2, 2, 2])
})

test('an agent that was revoked is refused', async () => {
  const ctx = await home().newTenant()
  const [touch] = await reportedHosts(ctx, 1)
  if (!touch) throw new Error('one host was asked for')
  await revokeAgent(ctx, touch.agentId)
  const batches = openTouchBatches()
  expect(await batches.touch(ctx, touch)).toBe('refused')
})

test('more reports than can be held open are to come later, at times that differ', async () => {
  const ctx = await home().newTenant()
  const [touch] = await reportedHosts(ctx, 1)
  if (!touch) throw new Error('one host was asked for')
  const batches = openTouchBatches({ waitingMax: 2 })
  const taken = [batches.touch(ctx, touch), batches.touch(ctx, nextOf(touch))]
  const seconds = new Set<unknown>()
  for (let n = 0; n < 20; n++) {
    const refusal: unknown = await Promise.resolve()
      .then(() => batches.touch(ctx, touch))
      .catch((error: unknown) => error)
    expect(refusal).toMatchObject({
      status: 503,
      extras: { retryAfterSeconds: expect.any(Number) as number },
    })
    seconds.add((refusal as Refusal).extras['retryAfterSeconds'])
  }
  expect(seconds.size).toBeGreaterThan(1)
  expect(await Promise.all(taken)).toEqual(['unchanged', 'unchanged'])
})

test('a tenant that sends more than its share leaves room for the reports of others', async () => {
  const [ctx, other] = [await home().newTenant(), await home().newTenant()]
  const [[touch], [theirs]] = [await reportedHosts(ctx, 1), await reportedHosts(other, 1)]
  if (!touch || !theirs) throw new Error('one host each was asked for')
  const batches = openTouchBatches({ waitingOfTenantMax: 1 })
  const taken = batches.touch(ctx, touch)
  await expect(async () => batches.touch(ctx, nextOf(touch))).rejects.toMatchObject({ status: 503 })
  expect(await Promise.all([taken, batches.touch(other, theirs)])).toEqual(['unchanged', 'unchanged'])
})

test('a batch locks agents before their keys, as revoking an agent does', async () => {
  const ctx = await home().newTenant()
  const [touch] = await reportedHosts(ctx, 1)
  if (!touch) throw new Error('one host was asked for')
  const batches = openTouchBatches()
  const isWaiting = async () =>
    (
      await ctx.db.all(sql`
      select from pg_locks l join pg_stat_activity a on a.pid = l.pid
      where a.datname = current_database() and not l.granted`)
    ).length > 0
  let outcome: Promise<TouchOutcome> | undefined
  await atomically(ctx, async (inner) => {
    await lockedAgent(inner, touch.agentId)
    outcome = batches.touch(ctx, touch)
    await vi.waitUntil(isWaiting)
    // throws where the batch has locked the key by now
    await inner.db.run(sql`
      select from agent_keys where tenant_id = ${ctx.tenantId} and key_id = ${touch.keyId} for update nowait`)
    await revokeKeysOf(inner, touch.agentId)
  })
  expect(await outcome).toBe('refused')
})

test('a batch that a deadlock undid is taken once more', async () => {
  const ctx = await home().newTenant()
  const [touch] = await reportedHosts(ctx, 1)
  if (!touch) throw new Error('one host was asked for')
  const batches = openTouchBatches()
  const deadlock = async () => {
    await ctx.db.run(sql`do $$ begin raise deadlock_detected; end $$`)
    throw new Error('the statement before throws')
  }
  const transaction = vi.spyOn(ctx.db, 'transaction').mockImplementationOnce(deadlock)
  expect(await batches.touch(ctx, touch)).toBe('unchanged')
  expect(transaction).toHaveBeenCalledTimes(2)
  transaction.mockImplementationOnce(deadlock).mockImplementationOnce(deadlock)
  await expect(batches.touch(ctx, nextOf(touch))).rejects.toMatchObject({ code: '40P01' })
})

test('agents are told to come less often while reports wait to be taken', () => {
  expect([0, 1_999, 2_001, 8_001].map((delayMs) => nextIn(delayMs, 0.5))).toEqual([900, 900, 1_800, 3_600])
  expect([0, 0.5, 1].map((random) => nextIn(0, random))).toEqual([810, 900, 990])
  expect(nextIn(8_001, 1)).toBe(3_600)
})

test('the number of the mapping goes with what the same sections become', () => {
  const sections = {
    os: { hostname: 'web-1', id: 'debian', versionId: '12', machineId: '0123456789abcdef0123456789abcdef' },
    hardware: { vendor: 'Dell Inc.', model: 'R640', serial: 'ALPHA001', memoryBytes: 8_589_934_592 },
    nics: [{ name: 'eth0', mac: '00:11:22:33:44:55', addresses: ['192.0.2.7'] }],
    users: [{ name: 'ann', uid: 1_000 }],
  }
  const observation = observationIn({
    sections,
    keyId: 'ab'.repeat(32),
    sourceKey: 'host',
    seenAt: new Date(0),
    tags: [],
    agentVersion: VERSION,
    knownOrigins: [],
  })
  // of another observation the number has to be raised: hosts that say that nothing changed are mapped anew then
  const number = madeFrom(Buffer.alloc(0)).trim()
  expect([number, sectionHash(observation)]).toEqual(['2', 'f16f7787b1b1a191a32ad9c221907a57'])
})
