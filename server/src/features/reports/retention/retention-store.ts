import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'

export interface RetentionLimits {
  readonly snapshotsMax: number
  readonly days: number
  readonly datasetDays: number
  /** Of all snapshots of a tenant together, as they are stored. */
  readonly bytesMax: number
}

/**
 * Of each report all but so many good snapshots and so many failed ones, and those that are too old; never the latest
 * good one, nor one pinned.
 */
export async function removeOldSnapshots(ctx: Ctx, { snapshotsMax, days }: RetentionLimits): Promise<number> {
  const { tenantId } = ctx
  return ctx.db.run(sql`
    delete from report_snapshots s where s.tenant_id = ${tenantId} and s.id in (
      select ranked.id from (
        select r.id, r.status, r.is_pinned, r.requested_at,
          row_number() over (partition by r.report_id, r.status order by r.requested_at desc, r.id desc) as place
        from report_snapshots r where r.tenant_id = ${tenantId}
      ) ranked
      where ranked.status <> 'generating' and not ranked.is_pinned
        and not (ranked.status = 'available' and ranked.place = 1)
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

/**
 * What is more than the tenant may store, the oldest first. Pinned snapshots and the latest good one of each report
 * count, and stay whatever they take.
 */
export async function removeBeyond(
  ctx: Ctx,
  { bytesMax }: Pick<RetentionLimits, 'bytesMax'>,
): Promise<number> {
  const { tenantId } = ctx
  return ctx.db.run(sql`
    delete from report_snapshots s where s.tenant_id = ${tenantId} and s.id in (
      select summed.id from (
        select sized.id, sized.stays,
          sum(sized.bytes) over (order by sized.stays desc, sized.requested_at desc, sized.id desc) as until_here
        from (
          select r.id, r.requested_at,
            r.is_pinned or r.status = 'generating' or (r.status = 'available' and row_number() over (
              partition by r.report_id, r.status order by r.requested_at desc, r.id desc) = 1) as stays,
            coalesce((select sum(octet_length(c.content)) from report_chunks c
              where c.tenant_id = ${tenantId} and c.snapshot_id = r.id), 0) as bytes
          from report_snapshots r where r.tenant_id = ${tenantId}
        ) sized
      ) summed
      where not summed.stays and summed.until_here > ${bytesMax})`)
}
