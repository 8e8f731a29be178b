import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'

export interface RetentionLimits {
  readonly snapshotsMax: number
  readonly days: number
  readonly datasetDays: number
}

/** Of each report all but so many snapshots, and those that are too old; never the latest good one, nor one pinned. */
export async function removeOldSnapshots(ctx: Ctx, { snapshotsMax, days }: RetentionLimits): Promise<number> {
  const { tenantId } = ctx
  return ctx.db.run(sql`
    delete from report_snapshots s where s.tenant_id = ${tenantId} and s.id in (
      select ranked.id from (
        select r.id, r.status, r.is_pinned, r.requested_at,
          row_number() over (partition by r.report_id order by r.requested_at desc, r.id desc) as place,
          row_number() over (partition by r.report_id, r.status order by r.requested_at desc, r.id desc)
            as place_of_status
        from report_snapshots r where r.tenant_id = ${tenantId}
      ) ranked
      where ranked.status <> 'generating' and not ranked.is_pinned
        and not (ranked.status = 'available' and ranked.place_of_status = 1)
        and (ranked.place > ${snapshotsMax}
          or ranked.requested_at < ${ctx.now()}::timestamptz - make_interval(days => ${days})))`)
}

/** Files stay; what is gone can no longer be made again. */
export async function removeOldDatasets(ctx: Ctx, { datasetDays }: RetentionLimits): Promise<number> {
  const { tenantId } = ctx
  return ctx.db.run(sql`
    delete from report_chunks c where c.tenant_id = ${tenantId} and c.part = 'dataset' and c.snapshot_id in (
      select s.id from report_snapshots s
      where s.tenant_id = ${tenantId} and s.status <> 'generating' and not s.is_pinned
        and s.requested_at < ${ctx.now()}::timestamptz - make_interval(days => ${datasetDays}))`)
}
