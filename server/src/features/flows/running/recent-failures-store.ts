import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'

export interface FailedRun {
  readonly id: string
  readonly flowId: string
  readonly flowName: string
  readonly reason: string | null
}

export function failedSince(ctx: Ctx, since: Date): Promise<FailedRun[]> {
  return ctx.db.all(sql<FailedRun>`
    select r.id, r.flow_id as "flowId", f.name as "flowName", r.reason
    from flow_runs r join flows f on f.id = r.flow_id
    where r.tenant_id = ${ctx.tenantId} and f.tenant_id = ${ctx.tenantId} and r.status = 'failed'
      and r.finished_at >= ${since}
    order by r.finished_at desc, r.id desc limit 200`)
}
