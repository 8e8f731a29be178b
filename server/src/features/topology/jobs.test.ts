import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { seen } from '#features/assets/observations.fixture.ts'
import { submit } from '#features/sources/sources.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { every, jobs } from './jobs.ts'
import { listLinks } from './topology.ts'

test('each hour links are derived for each tenant by a job of its own', async () => {
  const { runtime, newTenant } = await testApp()
  const tenants = [await newTenant(), await newTenant()]
  const [ctx] = tenants
  if (!ctx) throw new Error('no tenant')
  const neighbour = {
    by: 'lldp',
    localInterface: 'Te1/1',
    remoteChassis: '3c:2a:f4:00:00:02',
    remoteName: 'edge-1',
  }
  await submit(ctx, { kind: 'snmp', name: 'poll' }, [
    seen('core', { serial: 'FOC0001' }, { name: 'core', facts: { neighbours: [neighbour] } as never }),
    seen('edge', { serial: 'FOC0002', chassis_id: '3c:2a:f4:00:00:02' }, { name: 'edge-1' }),
  ])
  expect(every.map(({ everySeconds }) => everySeconds)).toEqual([3_600])
  for (const { run } of every) await run(runtime.system)
  const waiting = await runtime.system.db.all(
    sql<{ id: string }>`select tenant_id as id from jobs where name = 'topology.derive' order by tenant_id`,
  )
  expect(waiting.map(({ id }) => id)).toEqual(tenants.map(({ tenantId }) => tenantId).toSorted())
  const PAGE = { limit: 10, offset: 0 }
  expect((await listLinks(ctx, PAGE)).total).toBe(0)
  const [derive] = jobs
  await derive?.run(ctx, {}, AbortSignal.abort())
  expect((await listLinks(ctx, PAGE)).total).toBe(0)
  await derive?.run(ctx, {}, new AbortController().signal)
  expect((await listLinks(ctx, PAGE)).total).toBe(1)
})
