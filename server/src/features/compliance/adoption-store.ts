import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'

export interface Adoption {
  readonly framework: string
  readonly adoptedAt: string
  readonly adoptedByName: string
}

const columns = sql`framework, adopted_at as "adoptedAt", adopted_by_name as "adoptedByName"`

export function adoptions(ctx: Ctx): Promise<Adoption[]> {
  return ctx.db.all(sql<Adoption>`
    select ${columns} from compliance_adoptions where tenant_id = ${ctx.tenantId} order by framework`)
}

/** Locked until the end of the transaction: whoever changes statuses of controls holds them. */
export function lockAdoptions(ctx: Ctx): Promise<Adoption[]> {
  return ctx.db.all(sql<Adoption>`
    select ${columns} from compliance_adoptions where tenant_id = ${ctx.tenantId} order by framework for update`)
}

/** False: it was adopted before. */
export async function adopt(ctx: Ctx, framework: string): Promise<boolean> {
  const rows = await ctx.db.all(sql`
    insert into compliance_adoptions (tenant_id, framework, adopted_at, adopted_by_name)
    values (${ctx.tenantId}, ${framework}, ${ctx.now()}, ${ctx.actor.name ?? ctx.actor.id})
    on conflict (tenant_id, framework) do nothing returning framework`)
  return rows.length > 0
}

export async function drop(ctx: Ctx, framework: string): Promise<void> {
  await ctx.db.run(sql`
    delete from compliance_adoptions where tenant_id = ${ctx.tenantId} and framework = ${framework}`)
}

/** Whether a job of that name waits, which will see what is committed now. */
/** How many jobs of this name are at work for the tenant. */
export async function countJobsAtWork(ctx: Ctx, name: string): Promise<number> {
  const { n } = await ctx.db.one(sql<{ n: number }>`
    select count(*)::int as n from jobs
    where tenant_id = ${ctx.tenantId} and name = ${name} and leased_until > clock_timestamp()`)
  return n
}

export async function isJobQueued(ctx: Ctx, name: string): Promise<boolean> {
  const { found } = await ctx.db.one(sql<{ found: boolean }>`
    select exists (select from jobs where tenant_id = ${ctx.tenantId} and name = ${name} and leased_until is null
      and failed_at is null) as found`)
  return found
}
