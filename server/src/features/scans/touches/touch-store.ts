import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import type { Touch } from '../probes/touches/touch-counter.ts'
import type { DeviceTouch } from './device-touch.ts'

export type NewTouch = Touch & { readonly assetId: string | null }

/** An address keeps its device for so long, when a scan cannot tell which it was. */
const SAME_DEVICE = sql`interval '1 hour'`

/**
 * Adds to what the scan did before. Without an asset, the one that another scan found at the address within the hour;
 * nothing when the scan is gone.
 */
export async function addTouches(ctx: Ctx, scanId: string, touches: readonly NewTouch[]): Promise<void> {
  if (touches.length === 0) return
  await ctx.db.run(sql`
    insert into device_touches as d (tenant_id, scan_id, address, asset_id, began_at, seconds, packets, probes, logins,
      is_estimated)
    select ${ctx.tenantId}::uuid, s.id, it.address,
      coalesce(it."assetId", (
        select t.asset_id from device_touches t
        where t.tenant_id = ${ctx.tenantId} and t.address = it.address and t.asset_id is not null
          and t.began_at > it."beganAt" - ${SAME_DEVICE}
        order by t.began_at desc limit 1)),
      it."beganAt", it.seconds, it.packets, it.probes, it.logins, it."isEstimated"
    from jsonb_to_recordset(${JSON.stringify(touches)}::jsonb) as it (address inet, "assetId" uuid, "beganAt" timestamptz,
      seconds real, packets integer, probes integer, logins integer, "isEstimated" boolean)
    join scans s on s.tenant_id = ${ctx.tenantId} and s.id = ${scanId}
    on conflict (tenant_id, scan_id, address) do update set
      asset_id = coalesce(excluded.asset_id, d.asset_id), began_at = least(d.began_at, excluded.began_at),
      seconds = d.seconds + excluded.seconds, packets = d.packets + excluded.packets,
      probes = d.probes + excluded.probes, logins = d.logins + excluded.logins,
      is_estimated = d.is_estimated or excluded.is_estimated`)
}

/** What lives at an address is known now: also for scans of the last hour that could not tell. */
export async function nameAssets(ctx: Ctx, assetOf: ReadonlyMap<string, string>): Promise<void> {
  if (assetOf.size === 0) return
  const rows = [...assetOf].map(([address, assetId]) => ({ address, assetId }))
  await ctx.db.run(sql`
    update device_touches d set asset_id = it."assetId"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as it (address inet, "assetId" uuid)
    where d.tenant_id = ${ctx.tenantId} and d.address = it.address and d.asset_id is null
      and d.began_at > ${ctx.now()}::timestamptz - ${SAME_DEVICE}`)
}

export async function moveToSurvivors(ctx: Ctx, survivorOf: ReadonlyMap<string, string>): Promise<void> {
  for (const [old, survivor] of survivorOf)
    await ctx.db.run(sql`
      update device_touches set asset_id = ${survivor} where tenant_id = ${ctx.tenantId} and asset_id = ${old}`)
}

export async function forgetAssets(ctx: Ctx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await ctx.db.run(sql`
    update device_touches set asset_id = null
    where tenant_id = ${ctx.tenantId} and asset_id = any(${[...ids]}::uuid[])`)
}

/** Newest first. */
export async function touches(
  ctx: Ctx,
  { assetId, address }: { readonly assetId?: string; readonly address?: string },
  { limit, offset }: Page,
): Promise<Listed<DeviceTouch>> {
  const where = sql`t.tenant_id = ${ctx.tenantId}
    and ${assetId === undefined ? sql`true` : sql`t.asset_id = ${assetId}::uuid`}
    and ${address === undefined ? sql`true` : sql`t.address = ${address}::inet`}`
  const items = await ctx.db.all(sql<DeviceTouch>`
    select t.scan_id as "scanId", s.type as "scanType", host(t.address) as address, t.asset_id as "assetId",
      t.began_at as "beganAt", t.seconds, t.packets, t.probes, t.logins, t.is_estimated as "isEstimated",
      coalesce(s.run->>'cause', 'scan') as cause, s.run, coalesce(s.started_by->>'name', s.started_by->>'kind', '') as "startedBy"
    from device_touches t join scans s on s.tenant_id = ${ctx.tenantId} and s.id = t.scan_id
    where ${where} order by t.began_at desc, t.scan_id limit ${limit} offset ${offset}`)
  const { total } = await ctx.db.one(sql<{ total: number }>`
    select count(*) as total from device_touches t where ${where}`)
  return { items, total }
}

/** At most so many; answers how many. */
export function removeOld(
  ctx: Ctx,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number> {
  return ctx.db.run(sql`
    delete from device_touches where tenant_id = ${ctx.tenantId} and (scan_id, address) in (
      select scan_id, address from device_touches
      where tenant_id = ${ctx.tenantId} and began_at < ${before} limit ${limit})`)
}
