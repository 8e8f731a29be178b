import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { testApp } from '#test/support/app/test-app.ts'

test('a transaction that the database undoes fails, whoever caught the error of its statement', async () => {
  const { runtime } = await testApp()
  const ended = vi.fn<(end: string) => void>()
  const done = runtime.system.db.transaction(async (db) => {
    db.atEnd?.(ended)
    await db.run(sql`select 1 / 0`).catch(() => undefined)
    return 'done'
  })
  await expect(done).rejects.toThrow('all of it is undone')
  expect(ended.mock.calls).toEqual([['undone']])
})
