import { sql } from 'kysely'
import type { DeviceType } from '#features/recognition/recognition.ts'
import type { AssetType } from '#features/assets/observation.ts'
import type { Ctx } from '#platform/context.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { portFacts } from './open-ports.ts'

/** A result as it is compared with that of an earlier scan. */
export interface ComparedResult {
  readonly host: string
  /** Null where nothing of the host's answers was understood. */
  readonly sourceKey: string | null
  readonly name: string | null
  readonly os: string | null
  readonly vendor: string | null
  readonly model: string | null
  /** Those of `portFacts`; null where there are none. */
  readonly facts: unknown
  readonly isCut: boolean
}

export interface HostRow extends ComparedResult {
  readonly id: string
  readonly label: string
  readonly seenAt: string
  /** The instant of the observation that went into the inventory. */
  readonly observedAt: string | null
  /** Null when the asset is gone, or nothing was taken in. */
  readonly asset: HostAsset | null
}

export interface HostAsset {
  readonly id: string
  readonly name: string
  readonly assetType: AssetType
  readonly deviceType: DeviceType
  readonly firstSeen: string
}

const compared = sql`r.host, r.read->>'sourceKey' as "sourceKey", r.read->>'name' as name, r.read->>'os' as os,
  r.read->>'vendor' as vendor, r.read->>'model' as model, r.is_cut as "isCut",
  (select jsonb_object_agg(f.key, f.value) from jsonb_each(
     case jsonb_typeof(r.read->'facts') when 'object' then r.read->'facts' end) f
   where f.key = any(${[...portFacts]}::text[])) as facts`

/** In the order in which they were found, each with the asset that its observation belongs to now. */
export async function hosts(
  ctx: Ctx,
  { scanId, source }: { readonly scanId: string; readonly source: { kind: string; name: string } },
  { limit, offset }: Page,
): Promise<Listed<HostRow>> {
  const items = await ctx.db.all(sql<HostRow>`
    select ${compared}, r.id::text, r.name as label, r.seen_at as "seenAt", r.read->>'seenAt' as "observedAt",
      case when a.id is not null then jsonb_build_object('id', a.id, 'name', a.name, 'assetType', a.asset_type,
        'deviceType', coalesce(a.device_type, 'unknown'), 'firstSeen', a.first_seen) end as asset
    from (
      select * from scan_results where tenant_id = ${ctx.tenantId} and scan_id = ${scanId}
      order by id limit ${limit} offset ${offset}
    ) r
    left join sources s on s.tenant_id = ${ctx.tenantId} and s.kind = ${source.kind} and s.key = ${source.name}
    left join asset_observations o on o.tenant_id = ${ctx.tenantId} and o.source_id = s.id
      and o.source_key = r.read->>'sourceKey'
    left join assets a on a.tenant_id = ${ctx.tenantId} and a.id = o.asset_id
    order by r.id`)
  const { total } = await ctx.db.one(sql<{ total: number }>`
    select count(*) as total from scan_results where tenant_id = ${ctx.tenantId} and scan_id = ${scanId}`)
  return { items, total }
}

export interface EarlierScan {
  readonly id: string
  readonly resultCount: number
}

/** The newest completed scan of the same type and target (of a login: and host) before this one of which results are stored. */
export function earlierScan(ctx: Ctx, scanId: string): Promise<EarlierScan | undefined> {
  return ctx.db.maybe(sql<EarlierScan>`
    select p.id, n.count as "resultCount" from scans s
    join scans p on p.tenant_id = ${ctx.tenantId} and p.target_id = s.target_id and p.type = s.type
      and (p.target_address = s.target_address or s.type = 'sweep')
      and p.status = 'completed' and p.created_at < s.created_at
    cross join lateral (
      select count(*) from scan_results r where r.tenant_id = ${ctx.tenantId} and r.scan_id = p.id
    ) n
    where s.tenant_id = ${ctx.tenantId} and s.id = ${scanId} and n.count > 0
    order by p.created_at desc limit 1`)
}

/** Of the scan, those of the hosts. */
export function resultsOf(ctx: Ctx, scanId: string, hostNames: readonly string[]): Promise<ComparedResult[]> {
  return ctx.db.all(sql<ComparedResult>`
    select ${compared} from scan_results r
    where r.tenant_id = ${ctx.tenantId} and r.scan_id = ${scanId} and r.host = any(${[...hostNames]}::text[])
    order by r.id`)
}
