import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { emit } from '#features/events/events.ts'
import { createFindings } from '#features/vulnerabilities/findings.fixture.ts'
import { newUuid } from '#platform/uuid.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { addTag, liveFlow, newAsset, runsOf, startWorker, untilIdle } from '../flows.fixture.ts'
import { askAboutAll } from '../triggers/run-query.ts'
import { getBackTest, startBackTest } from './back-tests.ts'

const home = sharedTestApp()

/** The same numbers each time (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

test('a back-test names the same runs that live running made', async () => {
  const ctx = await home().newTenant()
  startWorker(home())
  const random = seeded(7)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  const assets: string[] = []
  for (let n = 0; n < 6; n++) assets.push(await newAsset(ctx, n % 2 === 0 ? `server-${n}` : `laptop-${n}`))
  const flow = await liveFlow(ctx, {
    trigger: { kind: 'event', eventTypes: ['VULNERABILITY_FOUND'] },
    condition: 'event.severity = critical and asset.name: server',
    coolDownMinutes: 60,
    runsPerMinute: 60,
    steps: [addTag('seen')],
  })
  for (let n = 0; n < 40; n++) {
    const payload = {
      vulnerability_id: newUuid(ctx.now()),
      asset_id: pick(assets),
      cve_id: `CVE-2026-${n}`,
      severity: pick(['critical', 'high', 'low']),
      match_type: 'exact',
      confidence: 1,
      found_at: ctx.now().toISOString(),
    }
    await emit(ctx, [{ type: 'VULNERABILITY_FOUND', payload }])
    await untilIdle(ctx)
  }
  const live = await runsOf(ctx, flow)
  const { id } = await startBackTest(ctx, { flowId: flow.id })
  await untilIdle(ctx)
  const { result, total, done, status } = await getBackTest(ctx, id)
  const began = live.filter((it) => it.status === 'succeeded').map(({ assetId }) => assetId)
  const skipped = live.filter((it) => it.status === 'skipped')
  expect([status, total, done]).toEqual(['completed', 40, 40])
  expect(began.length).toBeGreaterThan(0)
  expect(skipped.length).toBeGreaterThan(0)
  expect(result?.sample.map(({ assetId }) => assetId)).toEqual(began.toReversed())
  expect(result?.skipped).toEqual([{ guard: 'cool-down', count: skipped.length }])
  expect(result?.summary).toBe(
    `In the last 30 days: ${began.length} runs, ${skipped.length} skipped by cool-down, about ${new Set(began).size} assets.`,
  )
})

test('a query trigger is tried over what became of findings, and names the assets that live running did', async () => {
  const ctx = await home().newTenant()
  startWorker(home())
  const flow = await liveFlow(ctx, {
    trigger: { kind: 'query', condition: 'any finding(severity = critical)', on: 'enter', per: 'asset' },
    steps: [addTag('seen')],
  })
  await untilIdle(ctx)
  const critical = [await createFindings(ctx, [{ score: 9.8 }]), await createFindings(ctx, [{ score: 9.1 }])]
  await createFindings(ctx, [{ score: 5 }])
  await askAboutAll(ctx, { flowId: flow.id })
  await untilIdle(ctx)
  const live = await runsOf(ctx, flow)
  expect(live).toHaveLength(critical.length)
  expect(new Set(live.map(({ assetId }) => assetId))).toEqual(new Set(critical))
  const { id } = await startBackTest(ctx, { flowId: flow.id })
  await untilIdle(ctx)
  const { result, status } = await getBackTest(ctx, id)
  expect(status).toBe('completed')
  expect(result?.runs).toBe(critical.length)
  expect(new Set(result?.sample.map(({ assetId }) => assetId))).toEqual(new Set(critical))
  expect(result?.note).toContain('What became of findings and software is gone through')
})

test('a query trigger on spans of time is tried over the days that have passed', async () => {
  const ctx = await home().newTenant()
  startWorker(home())
  const seenBefore = async (name: string, days: number) => {
    const id = await newAsset(ctx, name)
    const at = new Date(ctx.now().getTime() - days * 86_400_000)
    await ctx.db.run(
      sql`update assets set last_seen = ${at} where tenant_id = ${ctx.tenantId} and id = ${id}`,
    )
    return id
  }
  await seenBefore('fresh', 3)
  const silent = await seenBefore('silent', 20.5)
  await seenBefore('long silent', 60)
  const trigger = { kind: 'query', condition: 'last_seen < -14d', on: 'enter', per: 'asset' }
  const steps = [addTag('silent')]
  const { id } = await startBackTest(ctx, { definition: { trigger, steps } })
  const back = { ...trigger, on: 'leave' }
  const leaving = await startBackTest(ctx, { definition: { trigger: back, steps } })
  await untilIdle(ctx)
  const { result } = await getBackTest(ctx, id)
  expect(result).toMatchObject({ runs: 1, note: expect.stringContaining('day by day') })
  expect(result?.sample.map(({ assetId }) => assetId)).toEqual([silent])
  const daysAgo = (ctx.now().getTime() - Date.parse(result?.sample[0]?.at ?? '')) / 86_400_000
  expect(Math.round(daysAgo)).toBe(6)
  expect((await getBackTest(ctx, leaving.id)).result?.runs).toBe(0)
})

test('what cannot be tried over the past says so', async () => {
  const ctx = await home().newTenant()
  startWorker(home())
  const steps = [{ action: 'stop' }]
  const definition = { trigger: { kind: 'schedule', cron: '0 8 * * *', zone: 'UTC' }, steps }
  const daily = await startBackTest(ctx, { definition, days: 7 })
  const query = await startBackTest(ctx, {
    definition: { trigger: { kind: 'query', condition: 'tag = x' }, steps },
  })
  await untilIdle(ctx)
  expect((await getBackTest(ctx, daily.id)).result?.runs).toBe(7)
  expect((await getBackTest(ctx, query.id)).result).toMatchObject({
    runs: 0,
    summary: 'What it would have done is not known.',
    note: expect.stringContaining('cannot be tried'),
  })
  await expect(startBackTest(ctx, {})).rejects.toMatchObject({ status: 409 })
  await expect(startBackTest(ctx, { definition, days: 31 })).rejects.toMatchObject({ status: 400 })
})
