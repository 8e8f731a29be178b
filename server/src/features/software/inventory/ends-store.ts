import { sql } from 'kysely'
import type { OsRelease } from '#features/assets/observation.ts'
import type { Ctx } from '#platform/context.ts'

/** The ends of life of systems and software as they were looked up: columns `ends_on` and `is_end_decided`. */

export interface EndingSystem extends Required<Pick<OsRelease, 'id' | 'versionId' | 'prettyName'>> {
  /** `YYYY-MM-DD`; null: no lifecycle is known. */
  readonly endsOn: string | null
}

/** Of those in use, each once; `isAll` false: without those that were looked up since they were reported. */
export function systems(ctx: Ctx, isAll: boolean): Promise<Omit<EndingSystem, 'endsOn'>[]> {
  return ctx.db.all(sql<Omit<EndingSystem, 'endsOn'>>`
    select distinct os_id as id, version_id as "versionId", pretty_name as "prettyName" from software_systems
    where tenant_id = ${ctx.tenantId} and (${isAll} or not is_end_decided)`)
}

/**
 * Answers the assets whose system has another end of life than was written. Several may write at the same time, as after
 * many hosts reported for the first time: rows are locked in one order, so that they wait for each other and do not stop.
 */
export async function writeSystems(ctx: Ctx, ending: readonly EndingSystem[]): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ id: string; isNew: boolean }>`
    with given as (
      select * from json_to_recordset(${JSON.stringify(ending)}::json)
        as g(id text, "versionId" text, "prettyName" text, "endsOn" date)
    ), before as materialized (
      select y.observation_id, y.ends_on is distinct from g."endsOn" as is_new, g."endsOn" as ends_on
      from software_systems y
      join given g on g.id = y.os_id and g."versionId" = y.version_id and g."prettyName" = y.pretty_name
      where y.tenant_id = ${ctx.tenantId} and (y.ends_on is distinct from g."endsOn" or not y.is_end_decided)
      order by y.observation_id for update of y
    ), written as (
      update software_systems y set ends_on = b.ends_on, is_end_decided = true from before b
      where y.tenant_id = ${ctx.tenantId} and y.observation_id = b.observation_id
    )
    select distinct o.asset_id as id from before b
    join asset_observations o on o.tenant_id = ${ctx.tenantId} and o.id = b.observation_id where b.is_new`)
  return rows.map(({ id }) => id)
}

export interface EndingSoftware {
  readonly id: number
  readonly origin: string
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly cpe: string
  readonly vendorKey: string
  readonly productKey: string
  readonly endsOn: string | null
  readonly isDecided: boolean
}

/** Installed software by id after `last`, without packages of distributions, which have no end of their own. */
export function softwareAfter(
  ctx: Ctx,
  { last, limit, isAll }: { readonly last: number; readonly limit: number; readonly isAll: boolean },
): Promise<EndingSoftware[]> {
  const isWanted = isAll ? sql`true` : sql`not is_end_decided`
  return ctx.db.all(sql<EndingSoftware>`
    select id, origin, name, version, purl, cpe, vendor_key as "vendorKey", product_key as "productKey",
      ends_on::text as "endsOn", is_end_decided as "isDecided"
    from software
    where tenant_id = ${ctx.tenantId} and id > ${last} and ${isWanted}
      and origin not in ('dpkg', 'rpm', 'apk', 'pacman', 'hotfix', 'os')
    order by id limit ${limit}`)
}

export async function writeSoftware(
  ctx: Ctx,
  ending: readonly { readonly id: number; readonly endsOn: string | null }[],
): Promise<void> {
  await ctx.db.run(sql`
    update software s set ends_on = g."endsOn", is_end_decided = true
    from json_to_recordset(${JSON.stringify(ending)}::json) as g(id bigint, "endsOn" date)
    where s.tenant_id = ${ctx.tenantId} and s.id = g.id`)
}
