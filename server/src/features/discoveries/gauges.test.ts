import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTarget } from '#features/scans/scans.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { createDiscovery, deleteDiscovery, startDiscovery } from './discoveries.ts'
import { addHosts } from './host-store.ts'
import * as store from './run-store.ts'

const HOST = {
  name: '127.0.0.1',
  hints: { ports: [22], hasSnmp: false, isVmware: false, isHypervisor: false },
  seen: {},
  sourceKey: '127.0.0.1|',
}

test('Prometheus reads runs, hosts, stops and the last success of each schedule', async () => {
  const { newTenant, address } = await testApp()
  const ctx = await newTenant()
  const metrics = async (): Promise<Map<string, number>> => {
    const text = await (await fetch(`${await address()}/metrics`)).text()
    const lines = text.split('\n').filter((line) => line.startsWith('rollcall_'))
    return new Map(lines.map((line) => [line.split(' ')[0] ?? '', Number(line.split(' ')[1])]))
  }
  const target = await createTarget(ctx, { name: 'site', cidr: '127.0.0.0/30' })
  const made = { targetId: target.id, types: ['ssh'] }
  const nightly = await createDiscovery(ctx, { ...made, name: 'nightly', cron: '0 2 * * *', zone: 'UTC' })
  const byHand = await createDiscovery(ctx, { ...made, name: 'by hand' })
  const ageOf = (id: string): string => `rollcall_discovery_last_success_age_seconds{discovery="${id}"}`
  const { id: runId } = await startDiscovery(ctx, nightly.id)
  await startDiscovery(ctx, byHand.id)
  const run = await store.start(ctx, runId)
  if (!run) throw new Error('the run is there')
  await addHosts(
    ctx,
    runId,
    ['127.0.0.1', '127.0.0.2'].map((at) => ({ ...HOST, address: at })),
  )
  const stops = [{ at: '127.0.0.1', reason: 'it is silent', isHarm: true }]
  const { addressesTotal, addressesDone, addressesSettled, unreachable, slowed } = run
  await store.note(ctx, run, { addressesTotal, addressesDone, addressesSettled, unreachable, slowed, stops })
  await ctx.db.run(sql`
    update discoveries set created_at = now() - interval '3 days' where tenant_id = ${ctx.tenantId} and id = ${nightly.id}`)

  const before = await metrics()
  expect(Object.fromEntries(before)).toMatchObject({
    'rollcall_discovery_runs{status="running"}': 1,
    'rollcall_discovery_runs{status="pending"}': 1,
    'rollcall_discovery_hosts{state="waiting"}': 2,
    rollcall_discovery_stops: 1,
    rollcall_discovery_schedules: 1,
    'rollcall_scans{status="running"}': 0,
  })
  expect(before.get(ageOf(nightly.id))).toBeGreaterThanOrEqual(3 * 86_400 - 1)
  expect(before.has(ageOf(byHand.id))).toBe(false)

  await store.finish(ctx, runId, { status: 'completed', message: '', attempt: run.attempt })
  const after = await metrics()
  expect(after.get(ageOf(nightly.id))).toBeLessThan(86_400)
  expect(after.get('rollcall_discovery_stops')).toBe(1)
  expect(after.get('rollcall_discovery_hosts{state="waiting"}')).toBe(0)

  await deleteDiscovery(ctx, nightly.id)
  expect((await metrics()).has(ageOf(nightly.id))).toBe(false)
})
