import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import type { Db, Match, MatchQuery } from '../db.ts'
import { canceled } from './timed-out-queries.ts'
import { openMatchCache } from './match-cache.ts'

const home = sharedTestApp()

/** A tenant with one asset, and the question which of its assets have the tag `prod`. */
async function oneAsset() {
  const ctx = await home().newTenant()
  await submit(ctx, { kind: 'csv', name: 'list' }, [
    {
      sourceKey: 'a',
      seenAt: ctx.now(),
      assetType: 'device',
      identifiers: [{ type: 'serial', value: 'A-REMEMBERED' }],
    },
  ])
  const { id } = await ctx.db.one(
    sql<{ id: string }>`select id from assets where tenant_id = ${ctx.tenantId}`,
  )
  const all = sql<Match>`
    select a.id as subject, a.id, 0 as place from assets a where a.tenant_id = ${ctx.tenantId} and a.tags @> '{prod}'`
  const among = (ids: readonly string[]) => sql<Match>`${all} and a.id = any(${[...ids]}::uuid[])`
  const query: MatchQuery = { key: all, among, all: () => Promise.resolve(all), hasSeveral: false }
  return { ctx, id, query }
}

const setTags = (ctx: Ctx, id: string, tags: readonly string[]) =>
  sql`update assets set tags = ${[...tags]}::text[] where tenant_id = ${ctx.tenantId} and id = ${id}`

test('all subjects are asked once, then those that changed', async () => {
  const { ctx, id, query } = await oneAsset()
  const { matches } = openMatchCache()
  let passes = 0
  const counted = { ...query, all: () => ((passes += 1), query.all(ctx.db)) }
  const ask = async () => {
    const { total, subjects } = await matches(ctx.tenantId, counted, ctx.db)
    return { total, ids: subjects(10) }
  }
  expect(await ask()).toEqual({ total: 0, ids: [] })
  await ctx.db.about([id]).run(setTags(ctx, id, ['prod']))
  expect(await ask()).toEqual({ total: 1, ids: [id] })
  await ctx.db.about([id]).run(setTags(ctx, id, []))
  expect(await ask()).toEqual({ total: 0, ids: [] })
  expect(passes).toBe(1)
  await ctx.db.run(setTags(ctx, id, ['prod']))
  expect(await ask()).toEqual({ total: 1, ids: [id] })
  expect(passes).toBe(2)
})

test('answers that nothing matches take memory as well: the one that was not asked for longest is forgotten', async () => {
  const { ctx, query } = await oneAsset()
  const { matches, cachedMatches } = openMatchCache(5_000)
  const questions = ['a', 'b', 'c'].map((it): MatchQuery => ({
    ...query,
    key: sql<Match>`${query.key} and ${it} <> ''`,
  }))
  for (const it of questions) await matches(ctx.tenantId, it, ctx.db)
  const known = await Promise.all(questions.map((it) => cachedMatches(ctx.tenantId, it, ctx.db)))
  expect(known.map((it) => it?.total)).toEqual([undefined, 0, 0])
})

test('what takes too long to bring up to date is not known any more, and who asks is not refused', async () => {
  const { ctx, id, query } = await oneAsset()
  const { matches, cachedMatches } = openMatchCache()
  const slow: MatchQuery = {
    ...query,
    among(ids) {
      if (ids.length > 0) throw canceled()
      return query.among(ids)
    },
  }
  await matches(ctx.tenantId, slow, ctx.db)
  expect((await cachedMatches(ctx.tenantId, slow, ctx.db))?.total).toBe(0)
  await ctx.db.about([id]).run(setTags(ctx, id, ['prod']))
  expect(await cachedMatches(ctx.tenantId, slow, ctx.db)).toBe(undefined)
  expect(await cachedMatches(ctx.tenantId, query, ctx.db)).toBe(undefined)
})

test('who need not know does not wait long for what is brought up to date, and who asks later knows it', async () => {
  const { ctx, id, query } = await oneAsset()
  const { matches, cachedMatches } = openMatchCache()
  const [begun, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const db: Db = {
    ...ctx.db,
    async all(asked) {
      begun.resolve()
      await mayEnd.promise
      return ctx.db.all(asked)
    },
  }
  await matches(ctx.tenantId, query, ctx.db)
  await ctx.db.about([id]).run(setTags(ctx, id, ['prod']))
  const late = cachedMatches(ctx.tenantId, query, db)
  await begun.promise
  expect(await late).toBe(undefined)
  mayEnd.resolve()
  expect((await cachedMatches(ctx.tenantId, query, ctx.db))?.total).toBe(1)
})

test('subjects at which looking again failed are looked at by the next who asks', async () => {
  const { ctx, id, query } = await oneAsset()
  const { matches } = openMatchCache()
  let isBroken = true
  const failsOnce: MatchQuery = {
    ...query,
    among(ids) {
      if (ids.length === 0 || !isBroken) return query.among(ids)
      isBroken = false
      return sql<Match>`select (1 / 0)::text as id`
    },
  }
  const ask = async () => (await matches(ctx.tenantId, failsOnce, ctx.db)).total
  expect(await ask()).toBe(0)
  await ctx.db.about([id]).run(setTags(ctx, id, ['prod']))
  await expect(ask()).rejects.toThrow('division by zero')
  expect(await ask()).toBe(1)
})

test('who need not know waits for what is being computed, and is told what changed meanwhile', async () => {
  const { ctx, id, query } = await oneAsset()
  const { cachedMatches, cacheIfAskedAgain } = openMatchCache()
  const [computed, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow: Db = {
    ...ctx.db,
    async transaction(work) {
      const answer = await ctx.db.transaction(work)
      computed.resolve()
      await mayEnd.promise
      return answer
    },
  }
  expect(await cachedMatches(ctx.tenantId, query, ctx.db)).toBe(undefined)
  for (let time = 0; time < 2; time += 1) cacheIfAskedAgain(ctx.tenantId, query, slow)
  await computed.promise
  await ctx.db.about([id]).run(setTags(ctx, id, ['prod']))
  const asked = cachedMatches(ctx.tenantId, query, ctx.db)
  mayEnd.resolve()
  expect((await asked)?.total).toBe(1)
})

test.each([
  ['of one subject', (db: Db, id: string) => db.about([id])],
  ['of a whole table', (db: Db) => db],
])('who asks while all subjects are asked sees a change %s from before', async (_, bound) => {
  const { ctx, id, query } = await oneAsset()
  const { matches } = openMatchCache()
  const asked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const slow: Db = {
    ...ctx.db,
    async transaction(work) {
      const answer = await ctx.db.transaction(work)
      asked.resolve()
      await released.promise
      return answer
    },
  }
  const first = matches(ctx.tenantId, query, slow)
  await asked.promise
  await bound(ctx.db, id).run(setTags(ctx, id, ['prod']))
  const second = matches(ctx.tenantId, query, slow)
  released.resolve()
  expect((await first).total).toBe(0)
  expect((await second).total).toBe(1)
})
