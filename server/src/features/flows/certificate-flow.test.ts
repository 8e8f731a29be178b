import { expect, test } from 'vitest'
import { listAssets } from '#features/assets/assets.ts'
import type { Json } from '#features/assets/observation.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { liveFlow, runsOf, startWorker, untilIdle } from './flows.fixture.ts'
import { offeredReadyFlows } from './ready-flows.ts'
import { readyFlows } from './ready-flow-list.ts'
import { askAboutAll } from './triggers/run-query.ts'

const home = sharedTestApp()
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

async function host(ctx: Ctx, name: string, certificates?: Json): Promise<void> {
  await submit(ctx, { kind: 'agent', name: 'agent' }, [
    {
      sourceKey: name,
      seenAt: ctx.now(),
      identifiers: [{ type: 'hostname', value: name }],
      ...(certificates !== undefined && { facts: { certificates } }),
    },
  ])
}

const namesOf = async (ctx: Ctx, where: string) =>
  (await listAssets(ctx, { limit: 100, offset: 0 }, { where })).items.map(({ name }) => name).toSorted()

const certificate = (expiresAt: Json) => ({ path: '/etc/ssl/a.pem', subject: 'CN=a', expiresAt })

test('conditions ask when certificates end; what a host sends that is no date is unknown', async () => {
  const ctx = await home().newTenant()
  await host(ctx, 'soon', [certificate(inDays(300)), certificate(inDays(20))])
  await host(ctx, 'late', [certificate(inDays(300))])
  await host(ctx, 'ended', [certificate(inDays(-3))])
  await host(ctx, 'none', [])
  await host(ctx, 'strange', [certificate('9999-99-99T'), certificate('soon'), certificate(7), 'text', null])
  await host(ctx, 'odd', { expiresAt: inDays(1) })
  await host(ctx, 'untold')
  expect(await namesOf(ctx, 'any certificate(expires < +30d)')).toEqual(['ended', 'soon'])
  expect(await namesOf(ctx, 'no certificate(expires < +30d)')).toEqual(
    expect.arrayContaining(['late', 'none']),
  )
  expect(await namesOf(ctx, 'any certificate(expires > +30d)')).toEqual(['late', 'soon'])
})

test('the ready flow about certificates is offered once an agent has told of one, and starts for the asset', async () => {
  const ctx = await home().newTenant()
  startWorker(home())
  const offered = async () => (await offeredReadyFlows(ctx)).map(({ id }) => id)
  expect(await offered()).not.toContain('certificate-ends')
  await host(ctx, 'old', [certificate(inDays(300))])
  expect(await offered()).toContain('certificate-ends')
  const ready = readyFlows.find(({ id }) => id === 'certificate-ends') ?? { definition: {} }
  const { trigger } = ready.definition as { trigger: object }
  const flow = await liveFlow(ctx, { trigger, steps: [{ action: 'stop' }] })
  await untilIdle(ctx)
  await host(ctx, 'web', [certificate(inDays(20))])
  await askAboutAll(ctx, { flowId: flow.id })
  await untilIdle(ctx)
  expect(await runsOf(ctx, flow)).toMatchObject([{ status: 'succeeded', cause: 'query' }])
})
