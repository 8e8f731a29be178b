import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listNoticeDeliveries } from '#features/notices/notices.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { newPerson } from '#test/support/http/browser-session.ts'
import { liveFlow, runsOf, startWorker, untilIdle } from '../flows.fixture.ts'
import { startFlow } from '../flows.ts'

const home = sharedTestApp()

test('who published a flow is told of its first failure, not of the next, and again after a success', async () => {
  const ctx = await home().newTenant()
  startWorker(home())
  const { id, email } = await newPerson(home(), ctx, { isAdmin: true })
  const publisher = { ...ctx, actor: { ...ctx.actor, kind: 'user' as const, id } }
  // without an asset the step fails
  const steps = [{ action: 'if', condition: 'event.fail = yes', steps: [{ action: 'archive', with: {} }] }]
  const trigger = { kind: 'manual', fields: { fail: 'bool' } }
  const flow = await liveFlow(publisher, { trigger, steps }, 'tidy')
  const run = async (fail: boolean) => {
    await startFlow(publisher, flow.id, { inputs: { fail } })
    await untilIdle(ctx)
  }
  const told = async () => (await listNoticeDeliveries(ctx, { limit: 10, offset: 0 })).items
  await run(true)
  await run(true)
  expect((await runsOf(ctx, flow)).map(({ status }) => status)).toEqual(['failed', 'failed'])
  expect(await told()).toMatchObject([
    { recipient: email, subject: expect.stringMatching(/^The flow tidy failed: steps\[0\].*no asset/) },
  ])
  await run(false)
  await run(true)
  expect(await told()).toHaveLength(2)
  await ctx.db.run(sql`update flows set failures_in_a_row = 9 where tenant_id = ${ctx.tenantId}`)
  await run(true)
  expect((await told()).map(({ subject }) => subject)).toContain(
    'The flow tidy is off: 10 runs in a row failed',
  )
  expect(await told()).toHaveLength(3)
})
