import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import type { Flow } from '../flow.ts'
import { liveFlow, runsOf, startWorker, untilIdle } from '../flows.fixture.ts'
import { recentFailures, startFlow } from '../flows.ts'
import type { FlowRun } from './run.ts'

const home = sharedTestApp()
const HOUR_MS = 3_600_000
// without an asset the inner step fails
const definition = {
  trigger: { kind: 'manual', fields: { fail: 'bool' } },
  steps: [{ action: 'if', condition: 'event.fail = yes', steps: [{ action: 'archive', with: {} }] }],
}

test('runs that failed within a day have their flow and their reason, the newest first', async () => {
  const ctx = await home().newTenant()
  startWorker(home())
  const tidy = await liveFlow(ctx, definition, 'tidy')
  const archive = await liveFlow(ctx, definition, 'archive')
  const run = async (flow: Flow, fail: boolean): Promise<FlowRun | undefined> => {
    await startFlow(ctx, flow.id, { inputs: { fail } })
    await untilIdle(ctx)
    return (await runsOf(ctx, flow))[0]
  }
  const first = await run(tidy, true)
  const last = await run(archive, true)
  expect(await run(tidy, false)).toMatchObject({ status: 'succeeded' })
  const failures = await recentFailures(ctx)
  expect(failures.map(({ id, flowId, flowName }) => [id, flowId, flowName])).toEqual([
    [last?.id, archive.id, 'archive'],
    [first?.id, tidy.id, 'tidy'],
  ])
  expect(failures[0]?.reason).toMatch(/^steps\[0\].*no asset/)
  const after = (hours: number) => ({ ...ctx, now: () => new Date(Date.now() + hours * HOUR_MS) })
  expect(await recentFailures(after(23))).toHaveLength(2)
  expect(await recentFailures(after(25))).toEqual([])
  expect(await recentFailures(await home().newTenant())).toEqual([])
})
