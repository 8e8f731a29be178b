import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { noteStale } from '../archive/stale.ts'
import { recogniseBacklog } from '../recognition/recognition-backlog.ts'
import { lockTenant } from './observation-read-store.ts'
import { ASSETS_AT_ONCE } from './small-batches.ts'

const shared = sharedTestApp()
const DAY_MS = 86_400_000
const ASSETS = 2 * ASSETS_AT_ONCE + 1

async function longUnseen(): Promise<Ctx> {
  const ctx = await shared().newTenant()
  const seenAt = new Date(ctx.now().getTime() - 60 * DAY_MS)
  await submit(
    ctx,
    { kind: 'glpi', name: 'glpi' },
    Array.from({ length: ASSETS }, (_, n) => ({
      sourceKey: `${n}`,
      seenAt,
      identifiers: [{ type: 'serial' as const, value: `serial-${n}` }],
    })),
  )
  return ctx
}

/** How many assets each transaction wrote: rows that one transaction wrote have its number. */
const perTransaction = async (ctx: Ctx): Promise<number[]> =>
  (
    await ctx.db.all(sql<{ n: number }>`
      select count(*) as n from assets where tenant_id = ${ctx.tenantId} group by xmin::text order by n`)
  ).map(({ n }) => n)

const marked = async (ctx: Ctx): Promise<number> =>
  (
    await ctx.db.one(sql<{ n: number }>`
      select count(*) as n from assets where tenant_id = ${ctx.tenantId} and stale_since is not null`)
  ).n

test.each([
  ['marks of stale assets', noteStale],
  [
    'facets of an earlier generation',
    async (ctx: Ctx) => {
      await ctx.db.run(sql`update assets set facets_generation = 0 where tenant_id = ${ctx.tenantId}`)
      await recogniseBacklog(ctx)
    },
  ],
])('%s are written a few at a time', async (_, write) => {
  const ctx = await longUnseen()
  await write(ctx)
  expect(await perTransaction(ctx)).toEqual([1, ASSETS_AT_ONCE, ASSETS_AT_ONCE])
})

test('a job does not stand in the way of those who wait for the lock of the tenant', async () => {
  const ctx = await longUnseen()
  let job: Promise<void> | undefined
  await atomically(ctx, async (inner) => {
    await lockTenant(inner)
    const transaction = vi.spyOn(ctx.db, 'transaction')
    job = noteStale(ctx)
    await vi.waitFor(() => expect(transaction.mock.calls.length).toBeGreaterThan(2), { timeout: 20_000 })
    const { waiting } = await inner.db.one(sql<{ waiting: number }>`
      select count(*) as waiting from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`)
    expect(waiting).toBe(0)
    expect(await marked(inner)).toBe(0)
  })
  await job
  expect(await marked(ctx)).toBe(ASSETS)
})
