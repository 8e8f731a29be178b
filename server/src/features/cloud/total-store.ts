import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { ScopeStatus } from './connection.ts'

type Outcome = Exclude<ScopeStatus, 'pending' | 'running'>
const THROTTLED = 'calls throttled'
const PREFIX = 'scopes '

export const countThrottled = (ctx: Ctx): Promise<void> => add(ctx, THROTTLED)

export const countRead = (ctx: Ctx, outcome: Outcome): Promise<void> => add(ctx, PREFIX + outcome)

async function add(ctx: Ctx, name: string): Promise<void> {
  await ctx.db.run(sql`
    insert into cloud_totals as t (name, total) values (${name}, 1)
    on conflict (name) do update set total = t.total + 1`)
}

/** Of the whole installation. */
export async function totals(
  ctx: Ctx,
): Promise<{ readonly read: Readonly<Record<Outcome, number>>; readonly throttled: number }> {
  const rows = await ctx.db.all(sql<{ name: string; total: number }>`select name, total from cloud_totals`)
  const of = (name: string) => rows.find((it) => it.name === name)?.total ?? 0
  return {
    read: {
      complete: of(`${PREFIX}complete`),
      partial: of(`${PREFIX}partial`),
      failed: of(`${PREFIX}failed`),
    },
    throttled: of(THROTTLED),
  }
}
