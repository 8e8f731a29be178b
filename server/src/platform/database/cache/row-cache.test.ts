import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { atomically, dryRun, type Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { openRowCache, type Asked } from './row-cache.ts'
import { mayWrite } from './tenant-version.ts'

const home = sharedTestApp()
let ctx: Ctx
beforeAll(async () => {
  ctx = await home().newTenant()
  await change(ctx)
})

/** Another answer each time that it is run. */
const clock = sql<{ at: string }>`select clock_timestamp()::text as at`
const asked = async (of: Ctx) => (await of.db.cached(clock))[0]?.at
const change = (of: Ctx) =>
  of.db.run(sql`
    insert into asset_archive_rules (tenant_id, source_kind, days) values (${of.tenantId}, '', 1)
    on conflict (tenant_id, source_kind) do update set days = asset_archive_rules.days + 1`)

describe('rows of an unchanged tenant', () => {
  test('are answered again until the tenant changes', async () => {
    const first = await asked(ctx)
    expect(await asked(ctx)).toBe(first)
    await change(ctx)
    const second = await asked(ctx)
    expect(second).not.toBe(first)
    await atomically(ctx, change)
    expect(await asked(ctx)).not.toBe(second)
  })

  test('in a transaction are of the moment of its last statement', async () => {
    const first = await asked(ctx)
    await ctx.db.transaction(async (db) => {
      const inner = { ...ctx, db }
      expect(await asked(inner)).toBe(first)
      await change(ctx)
      expect(await asked(inner)).toBe(first)
      await db.run(sql`select`)
      expect(await asked(inner)).not.toBe(first)
    })
  })

  test('of tables that are named are answered until one of those is written', async () => {
    const of = async (...tables: string[]) => (await ctx.db.cached(clock, tables))[0]?.at
    const decide = (it: Ctx) =>
      it.db.run(sql`
        insert into compliance_settings (tenant_id, exceptions_need_approval) values (${it.tenantId}, true)
        on conflict (tenant_id) do update set exceptions_need_approval = not compliance_settings.exceptions_need_approval`)
    const [rules, both] = [
      await of('asset_archive_rules'),
      await of('asset_archive_rules', 'compliance_settings'),
    ]
    await decide(ctx)
    expect(await of('asset_archive_rules')).toBe(rules)
    const bothLater = await of('asset_archive_rules', 'compliance_settings')
    expect(bothLater).not.toBe(both)
    await atomically(ctx, async (inner) => {
      await decide(inner)
      await change(inner)
    })
    const later = await of('asset_archive_rules')
    expect(later).not.toBe(rules)
    await dryRun(ctx, change)
    await decide(ctx)
    expect(await of('asset_archive_rules')).toBe(later)
    // a version that was replaced by hand says nothing of what was written
    await home().runtime.system.db.run(sql`
      update tenant_versions set version = gen_random_uuid() where tenant_id = ${ctx.tenantId}`)
    expect(await of('asset_archive_rules')).not.toBe(later)
  })

  test('are another tenant’s own, whose changes leave them alone', async () => {
    const other = await home().newTenant()
    const first = await asked(ctx)
    await change(other)
    expect(await asked(other)).not.toBe(first)
    expect(await asked(ctx)).toBe(first)
  })

  test('are of the query with its values', async () => {
    const echo = async (text: string) =>
      (await ctx.db.cached(sql<{ text: string }>`select ${text}::text as text`))[0]?.text
    expect(await echo('a')).toBe('a')
    expect(await echo('b')).toBe('b')
    expect(await echo('a')).toBe('a')
  })

  test('a transaction that wrote sees its own changes, and nobody else does before it commits', async () => {
    const days = sql<{ days: number }>`
      select days from asset_archive_rules where tenant_id = ${ctx.tenantId} and source_kind = ''`
    const read = async (of: Ctx) => (await of.db.cached(days))[0]?.days ?? 0
    const before = await read(ctx)
    await dryRun(ctx, async (inner) => {
      await change(inner)
      expect(await read(inner)).toBe(before + 1)
      expect(await read(ctx)).toBe(before)
    })
    expect(await read(ctx)).toBe(before)
  })

  test('what writes nothing changes nothing', async () => {
    const first = await asked(ctx)
    await ctx.db.run(
      sql`update asset_archive_rules set days = 9 where tenant_id = ${ctx.tenantId} and days = 0`,
    )
    await dryRun(ctx, change)
    expect(await asked(ctx)).toBe(first)
  })

  test('one answer serves all that ask at once', async () => {
    await change(ctx)
    const answers = await Promise.all(Array.from({ length: 6 }, () => asked(ctx)))
    expect(new Set(answers).size).toBe(1)
  })
})

test('what was read while something changed is not cached', async () => {
  const { rows } = openRowCache()
  const versions = ['1', '2', '2', '2', '2']
  let read = 0
  const all = (async (query: typeof clock) =>
    query === clock ? [{ at: String((read += 1)) }] : [{ version: versions.shift() }]) as never
  const ask = async () => (await rows('tenant', clock, { all, isClean: () => true }))[0]?.at
  expect(await ask()).toBe('1')
  expect(await ask()).toBe('2')
  expect(await ask()).toBe('2')
})

describe('while the tenant changes all the time', () => {
  /** A run answers its number when it is let go; the version is another at each look. */
  function changing(failing?: number) {
    const { rows } = openRowCache()
    const runs: (() => void)[] = []
    let versions = 0
    const all = (async (query: typeof clock) => {
      if (query !== clock) return [{ version: String((versions += 1)) }]
      const number = await new Promise<number>((resolve) => {
        const mine = runs.length + 1
        runs.push(() => resolve(mine))
      })
      if (number === failing) throw new Error('a run that fails')
      return [{ at: String(number) }]
    }) as never
    return {
      ask: async (transaction: Partial<Asked> = {}) =>
        (await rows('tenant', clock, { all, isClean: () => true, ...transaction }))[0]?.at,
      /** Resolves when so many have begun, and no more. */
      begun: async (count: number) => {
        await setImmediate()
        expect(runs).toHaveLength(count)
      },
      end: (number: number) => runs[number - 1]?.(),
    }
  }

  test('whoever asks during a run shares the next, which begins later', async () => {
    const { ask, begun, end } = changing()
    const first = ask()
    await begun(1)
    const during = [ask(), ask(), ask()]
    await begun(1)
    end(1)
    expect(await first).toBe('1')
    await begun(2)
    const later = [ask(), ask()]
    await begun(2)
    end(2)
    expect(await Promise.all(during)).toEqual(['2', '2', '2'])
    await begun(3)
    end(3)
    expect(await Promise.all(later)).toEqual(['3', '3'])
  })

  test('a run that fails for one is repeated for the others', async () => {
    const { ask, begun, end } = changing(2)
    const first = ask()
    await begun(1)
    const during = [ask(), ask(), ask()]
    const outcomes = Promise.allSettled(during)
    await begun(1)
    end(1)
    await first
    await begun(2)
    end(2)
    await begun(4)
    end(3)
    end(4)
    expect((await outcomes).map((it) => it.status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  })

  test('a transaction of one state waits, and then reads its own', async () => {
    const { ask, begun, end } = changing()
    const [first, second] = [ask(), ask()]
    const inTransaction = ask({ lastVersion: { sent: 0 }, isOfOneState: true })
    await begun(1)
    end(1)
    await begun(3)
    end(2)
    end(3)
    expect(new Set(await Promise.all([first, second, inTransaction]))).toEqual(new Set(['1', '2', '3']))
  })
})

test.each([
  ['select a from b for update', false],
  ['select a from b for no key update of b skip locked', false],
  ['with x as (select updated_at from b) select * from x', false],
  ['update b set a = 1', true],
  ['with gone as (delete from b returning id) select * from gone', true],
  ['INSERT INTO b values (1) on conflict do nothing', true],
])('%s', (statement, writes) => {
  expect(mayWrite(statement)).toBe(writes)
})
