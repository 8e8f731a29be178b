import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'

/** For a report: in what state the oldest run without an end is, and the jobs of its tenant. */
export async function oldestUnfinished(ctx: Ctx, flowId: string): Promise<string> {
  const runs = await ctx.db.all(sql`
    select id, status, reason, cursor, tries, claim, created_at, started_at, wake_at from flow_runs
    where tenant_id = ${ctx.tenantId} and flow_id = ${flowId} and finished_at is null order by created_at limit 1`)
  const jobs = await ctx.db.all(sql`
    select name, attempts, run_at, leased_until, failed_at, last_error, left(payload::text, 100) as payload from jobs
    where tenant_id = ${ctx.tenantId} and name like 'flows.%' order by run_at limit 5`)
  return `the oldest: ${JSON.stringify(runs)}, jobs: ${JSON.stringify(jobs)}`
}
