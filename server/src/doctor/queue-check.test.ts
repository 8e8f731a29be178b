import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { enqueue, job } from '#platform/jobs/job.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { queue } from './queue-check.ts'

test('jobs that are late are told of; those for later, held or given up are not', async () => {
  const { newTenant, runtime } = await testApp()
  const { system } = runtime
  const ctx = await newTenant()
  await system.db.run(sql`delete from jobs`)
  const due = (seconds: number) =>
    enqueue(ctx, job<object>('test.late'), {}, new Date(Date.now() - seconds * 1000))
  await due(-3_600)
  expect(await queue(system)).toMatchObject({ state: 'ok', message: 'no job is due' })
  await due(60)
  expect(await queue(system)).toMatchObject({ state: 'ok', message: expect.stringMatching(/ 6\d s$/) })
  await due(600)
  expect(await queue(system)).toMatchObject({ state: 'warn', message: expect.stringMatching(/ 6\d\d s$/) })
  await system.db.run(sql`
    update jobs set leased_until = clock_timestamp() + interval '1 hour' where run_at < now() - interval '300 s'`)
  expect(await queue(system)).toMatchObject({ state: 'ok', message: expect.stringMatching(/ \d\d s$/) })
  await system.db.run(sql`update jobs set failed_at = now()`)
  expect(await queue(system)).toMatchObject({ message: 'no job is due' })
})
