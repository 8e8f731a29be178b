import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testApp } from '#test/support/app/test-app.ts'
import { withCondition, withinTime } from './with-condition.ts'

test('a statement that takes too long is ended by the database, and refused with a sentence', async () => {
  const ctx = await (await testApp()).newTenant()
  const slow = withinTime(ctx, 'where', async ({ db }) => {
    const { limit } = await db.one(
      sql<{ limit: string }>`select current_setting('statement_timeout') as limit`,
    )
    expect(limit).toBe('10s')
    await db.run(sql`set local statement_timeout = 20`)
    return db.run(sql`select pg_sleep(60)`)
  })
  await expect(slow).rejects.toMatchObject({
    status: 400,
    message: 'where: takes longer than 10 s; ask for less, or narrow it',
  })
  const { limit } = await ctx.db.one(
    sql<{ limit: string }>`select current_setting('statement_timeout') as limit`,
  )
  expect(limit).not.toBe('10s')
})

test('a join that no field asks about is left out of the plan', async () => {
  const ctx = await (await testApp()).newTenant()
  const planOf = (text: string) =>
    withCondition(ctx, { subject: 'asset', text }, async (inner, { from, where }) => {
      const lines = await inner.db.all(
        sql<{ 'QUERY PLAN': string }>`explain select count(*) from ${from} where ${where}`,
      )
      return lines.map((it) => it['QUERY PLAN']).join('\n')
    })
  expect(await planOf('risk > 3')).not.toContain('asset_weights')
  expect(await planOf('criticality = high')).toContain('asset_weights')
})
