import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { atomically } from '#platform/context.ts'
import { enqueue } from '#platform/jobs/job.ts'
import { sharedTestApp, testApp } from '#test/support/app/test-app.ts'
import { liveFlow, runsOf, startWorker, untilIdle } from '../flows.fixture.ts'
import { startScheduledJob } from './run-schedule.ts'

const home = sharedTestApp()
const DUE_TIMES = 4

test('two schedulers, restarted in between, start one run for each due time', async () => {
  const ctx = await home().newTenant()
  const other = await testApp({ where: home().where })
  startWorker(home())
  const flow = await liveFlow(ctx, {
    trigger: { kind: 'schedule', cron: '0 8 * * 1', zone: 'UTC' },
    steps: [{ action: 'stop' }],
  })
  const dueTimes: string[] = []
  for (let n = 0; n < DUE_TIMES; n++) {
    const restarted = startWorker(other)
    const { dueAt } = await ctx.db.one(sql<{ dueAt: string }>`
      update flows set next_at = date_trunc('milliseconds', clock_timestamp())
      where tenant_id = ${ctx.tenantId} and id = ${flow.id} returning next_at as "dueAt"`)
    dueTimes.push(new Date(dueAt).toISOString())
    // whichever of the two comes first
    for (let copy = 0; copy < 3; copy++)
      await atomically(ctx, (inner) => enqueue(inner, startScheduledJob, { flowId: flow.id, dueAt }))
    await untilIdle(ctx)
    await restarted.stop()
  }
  const runs = await runsOf(ctx, flow)
  expect(runs.map(({ status }) => status)).toEqual(dueTimes.map(() => 'succeeded'))
  const { keys } = await ctx.db.one(sql<{ keys: number }>`
    select count(distinct dedupe_key)::int as keys from flow_runs
    where tenant_id = ${ctx.tenantId} and flow_id = ${flow.id}`)
  expect(keys).toBe(DUE_TIMES)
})
