import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { liveFlow, runsOf, startWorker, untilIdle } from '../flows.fixture.ts'
import { askAboutAll } from '../triggers/run-query.ts'
import { getBackTest, startBackTest } from './back-tests.ts'

const home = sharedTestApp()
const HOUR_MS = 3_600_000

/** A complete list of packages of a host, as it was told so many hours ago; answers the asset's id. */
async function tell(ctx: Ctx, host: string, hoursAgo: number, packages: Readonly<Record<string, string>>) {
  const items = Object.entries(packages).map(([name, version]) => ({
    origin: 'dpkg' as const,
    name,
    version,
    arch: 'amd64',
  }))
  const release = { id: 'debian', versionId: '12', prettyName: 'Debian GNU/Linux 12 (bookworm)' }
  await submit(ctx, { kind: 'agent', name: 'agents' }, [
    {
      sourceKey: host,
      seenAt: new Date(ctx.now().getTime() - hoursAgo * HOUR_MS),
      identifiers: [{ type: 'hostname', value: host }],
      software: { release, complete: ['dpkg'], items },
    },
  ])
  const { id } = await ctx.db.one(sql<{ id: string }>`
    select id from assets where tenant_id = ${ctx.tenantId} and hostname = ${host}`)
  return id
}

async function backTest(ctx: Ctx, condition: string, on: 'enter' | 'leave' = 'enter') {
  const definition = { trigger: { kind: 'query', condition, on, per: 'asset' }, steps: [{ action: 'stop' }] }
  const { id } = await startBackTest(ctx, { definition })
  await untilIdle(ctx)
  const { result } = await getBackTest(ctx, id)
  const hoursAgo = (at: string) => Math.round((ctx.now().getTime() - Date.parse(at)) / HOUR_MS)
  return {
    runs: result?.sample.map(({ assetId, at }) => [assetId, hoursAgo(at)]),
    note: result?.note,
  }
}

test('a query trigger on software is tried over installations, removals and changes of version', async () => {
  const ctx = await home().newTenant()
  startWorker(home())
  await tell(ctx, 'a', 100, { bash: '5.2', openssl: '3.0.1' })
  await tell(ctx, 'a', 50, { bash: '5.2', openssl: '3.0.1', telnetd: '0.17' })
  await tell(ctx, 'a', 20, { bash: '5.2', openssl: '3.0.9', telnetd: '0.17' })
  const a = await tell(ctx, 'a', 10, { bash: '5.2', openssl: '3.0.9' })
  await tell(ctx, 'b', 90, { telnetd: '0.17' })
  const b = await tell(ctx, 'b', 5, { telnetd: '0.17', bash: '5.2' })
  const telnet = 'any software(name = telnetd)'
  expect(await backTest(ctx, telnet)).toEqual({
    runs: [[a, 50]],
    note: expect.stringContaining('software is gone through'),
  })
  expect((await backTest(ctx, telnet, 'leave')).runs).toEqual([[a, 10]])
  expect((await backTest(ctx, 'any software(name = openssl and version < 3.0.7)', 'leave')).runs).toEqual([
    [a, 20],
  ])
  expect((await backTest(ctx, 'count software(origin = dpkg) >= 2 and name = b')).runs).toEqual([[b, 5]])
})

test('it names the assets that live running did', async () => {
  const ctx = await home().newTenant()
  startWorker(home())
  for (const host of ['a', 'b', 'c']) await tell(ctx, host, 30, { bash: '5.2' })
  const trigger = { kind: 'query', condition: 'any software(name = telnetd)', on: 'enter', per: 'asset' }
  const flow = await liveFlow(ctx, { trigger, steps: [{ action: 'stop' }] })
  await askAboutAll(ctx, { flowId: flow.id })
  const changed = [
    await tell(ctx, 'a', 3, { bash: '5.2', telnetd: '0.17' }),
    await tell(ctx, 'c', 2, { telnetd: '0.17' }),
  ]
  await tell(ctx, 'b', 1, { bash: '5.3' })
  await askAboutAll(ctx, { flowId: flow.id })
  await untilIdle(ctx)
  expect(new Set((await runsOf(ctx, flow)).map(({ assetId }) => assetId))).toEqual(new Set(changed))
  expect((await backTest(ctx, trigger.condition)).runs?.map(([assetId]) => assetId)).toEqual(changed)
})
