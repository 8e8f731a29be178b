import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { getAsset } from '#features/assets/assets.ts'
import { defineCustomField } from '#features/assets/editing/custom-fields.ts'
import { testApp } from '#test/support/app/test-app.ts'
import {
  addTag,
  eventsOf,
  liveFlow,
  newAsset,
  onNewAsset,
  runsOf,
  startWorker,
  untilIdle,
} from './flows.fixture.ts'

const RUNS = 30
const KILLS = 2

test('workers that are killed lose no step and do none twice', { timeout: 90_000 }, async () => {
  const secretKey = randomBytes(32).toString('hex')
  const app = await testApp({ secretKey })
  const ctx = await app.newTenant()
  await defineCustomField(ctx, { name: 'seen', kind: 'text' })
  const flow = await liveFlow(ctx, {
    trigger: onNewAsset,
    runsPerMinute: 1_000,
    steps: [
      addTag('one'),
      { action: 'set_field', with: { field: 'seen', value: '{{run.id}}' } },
      addTag('two'),
    ],
  })
  const assets: string[] = []
  for (let n = 0; n < RUNS; n++) assets.push(await newAsset(ctx, `host-${n}`))
  for (let n = 0; n < KILLS; n++) {
    const child = startChild({ where: app.where, secretKey })
    await untilMoreSteps(async () => (await eventsOf(ctx, 'UPDATED_ASSET')).length)
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  startWorker(app)
  await untilIdle(ctx)
  await expect
    .poll(async () => (await runsOf(ctx, flow)).filter((it) => it.status === 'succeeded').length, {
      timeout: 60_000,
    })
    .toBe(RUNS)
  for (const id of assets) {
    expect((await getAsset(ctx, id)).tags).toEqual(['one', 'two'])
  }
  expect(await eventsOf(ctx, 'UPDATED_ASSET')).toHaveLength(RUNS)
  expect(await eventsOf(ctx, 'FLOW_TRIGGERED')).toHaveLength(RUNS)
})

function startChild(orders: object): ChildProcess {
  const script = join(import.meta.dirname, '../../../test/support/processes/job-queue-child.ts')
  const child = spawn(process.execPath, [script, JSON.stringify(orders)])
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** Until a worker has done something since, or has had long enough to. */
async function untilMoreSteps(count: () => Promise<number>): Promise<void> {
  const before = await count()
  for (let n = 0; n < 300 && (await count()) === before; n++) await sleep(20)
}
