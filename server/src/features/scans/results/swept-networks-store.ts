import { sql } from 'kysely'
import type { ConditionPart } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'
import type { TargetEntries } from '../targets/target-entries.ts'

/** Which networks sweeps went through to the end, and when. */

/** Older ones tell no more than none. */
const DAYS_KEPT = 400

/** What the scan was to look at; one that is no range has its address alone. */
export function aimOfScan(ctx: Ctx, id: string): Promise<TargetEntries> {
  return ctx.db.one(sql<TargetEntries>`
    select case when target_kind = 'range' then target_entries else array[target_address] end as entries,
      target_exclusions as exclusions
    from scans where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

export async function writeSwept(ctx: Ctx, networks: readonly string[]): Promise<void> {
  await ctx.db.run(sql`
    insert into swept_networks (tenant_id, network, swept_at)
    select ${ctx.tenantId}, n, ${ctx.now()} from unnest(${[...networks]}::cidr[]) as n order by n
    on conflict (tenant_id, network) do update set swept_at = excluded.swept_at`)
  await ctx.db.run(sql`
    delete from swept_networks
    where tenant_id = ${ctx.tenantId} and swept_at < ${ctx.now()}::timestamptz - make_interval(days => ${DAYS_KEPT})`)
}

/** What conditions may ask about the sweeps of networks that assets (`a`) are in. */
export const conditionParts = (ctx: Ctx): readonly ConditionPart[] => [
  {
    subject: 'asset',
    permission: 'assets:read',
    fields: [
      {
        name: 'network_swept',
        type: 'instant',
        sentence: 'When a sweep of a network that it has an address in ended last.',
        source: 'sweeps, and discoveries, which begin with one',
        sql: sql`(select max(sw.swept_at) from swept_networks sw
          where sw.tenant_id = ${ctx.tenantId} and sw.network >>= any(a.addresses))`,
      },
    ],
  },
]
