import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { BuiltPackage } from './distribution-libraries.ts'
import type { ListedProgram } from './distribution-programs.ts'
import type { SoftwareSet } from './software-set.ts'

/** Reads of the software inventory. Operating systems are software too. */

export function softwareSets(ctx: Ctx, assetIds: readonly string[]): Promise<SoftwareSet[]> {
  return ctx.db.all(sql<SoftwareSet>`
    select o.asset_id as "assetId", coalesce(y.kernel, '') as kernel, s.origin,
      coalesce(y.ecosystem, '') as distribution, s.ids, o.last_seen as "seenAt"
    from unnest(${[...assetIds]}::uuid[]) as wanted(id)
    join asset_observations o on o.tenant_id = ${ctx.tenantId} and o.asset_id = wanted.id
    join software_sets s on s.tenant_id = ${ctx.tenantId} and s.observation_id = o.id
    left join software_systems y on y.tenant_id = ${ctx.tenantId} and y.observation_id = o.id`)
}

/** Distinct software ids. */
export const idsIn = (all: readonly SoftwareSet[]): number[] => [...new Set(all.flatMap(({ ids }) => ids))]

/** Those of the software that have one of the names. */
export async function named(
  ctx: Ctx,
  softwareIds: readonly number[],
  names: readonly string[],
): Promise<{ readonly id: number; readonly name: string }[]> {
  return ctx.db.all(sql<{ id: number; name: string }>`
    select id, name from software where tenant_id = ${ctx.tenantId} and id = any(${[...softwareIds]}::bigint[])
      and name = any(${[...names]}::text[])`)
}

/** Those of a registry whose packages distributions ship as well, and what bills of materials list as files. */
export async function librariesAmong(
  ctx: Ctx,
  softwareIds: readonly number[],
): Promise<(ListedProgram & { readonly id: number })[]> {
  return ctx.db.all(sql<ListedProgram & { id: number }>`
    select id, origin, name, version, purl, cpe from software
    where tenant_id = ${ctx.tenantId} and id = any(${[...softwareIds]}::bigint[])
      and (purl ~ '^pkg:(pypi|gem|npm|maven|composer|cran|hackage)/'
        or origin = 'sbom' and (purl = '' or purl like 'pkg:generic/%'))`)
}

/** Those built by a distribution whose binary or source package has one of the names (lower case). */
export async function distributionPackagesNamed(
  ctx: Ctx,
  softwareIds: readonly number[],
  names: readonly string[],
): Promise<BuiltPackage[]> {
  return ctx.db.all(sql<BuiltPackage>`
    select id, name, source_name as "sourceName", version, ecosystem from software
    where tenant_id = ${ctx.tenantId} and id = any(${[...softwareIds]}::bigint[])
      and (lower(name) = any(${[...names]}::text[]) or lower(source_name) = any(${[...names]}::text[]))
      and (origin in ('dpkg', 'rpm', 'apk', 'pacman') or purl ~ '^pkg:(deb|rpm|apk|apkg|alpm)/')`)
}

/** Those that bills of materials list as packages of a distribution. */
export async function listedPackages(ctx: Ctx, softwareIds: readonly number[]): Promise<number[]> {
  const rows = await ctx.db.all(sql<{ id: number }>`
    select id from software where tenant_id = ${ctx.tenantId} and id = any(${[...softwareIds]}::bigint[])
      and purl ~ '^pkg:(deb|rpm|apk|apkg|alpm)/'`)
  return rows.map(({ id }) => id)
}

/** One row of `software`. */
export interface SoftwareRow {
  readonly id: number
  readonly origin: string
  readonly ecosystem: string
  readonly name: string
  readonly version: string
  readonly sourceName: string
  readonly sourceVersion: string
  readonly vendor: string
  readonly purl: string
  readonly cpe: string
  readonly vendorKey: string
  readonly productKey: string
}

export const softwareColumns = sql`w.id, w.origin, w.ecosystem, w.name, w.version, w.source_name as "sourceName",
  w.source_version as "sourceVersion", w.vendor, w.purl, w.cpe, w.vendor_key as "vendorKey", w.product_key as "productKey"`

/** Those that were never matched. */
export function unmatched(ctx: Ctx, softwareIds: readonly number[]): Promise<SoftwareRow[]> {
  return ctx.db.all(sql<SoftwareRow>`
    select ${softwareColumns} from software w
    where w.tenant_id = ${ctx.tenantId} and w.id = any(array(
      select id from unnest(${[...softwareIds]}::bigint[]) as id
      except select software_id from software_keys where tenant_id = ${ctx.tenantId}
        and software_id = any(${[...softwareIds]}::bigint[])))`)
}

/** Those that were matched before. */
export function matchedAmong(ctx: Ctx, softwareIds: readonly number[]): Promise<SoftwareRow[]> {
  return softwareOf(
    ctx,
    sql`select distinct software_id as id from software_keys
      where tenant_id = ${ctx.tenantId} and software_id = any(${[...softwareIds]}::bigint[])`,
  )
}

/** CPE vendors and products of all applications in the advisory catalogue. */
export function productPairs(ctx: Ctx): Promise<{ readonly vendor: string; readonly product: string }[]> {
  return ctx.db.all(sql<{ vendor: string; product: string }>`
    select distinct split_part(package, ':', 2) as vendor, split_part(package, ':', 3) as product
    from advisory_rules where ecosystem = 'cpe' and package like 'a:%'`)
}

/** Keyset page of all matched software, by id. */
export function matchedAfter(ctx: Ctx, after: number, limit: number): Promise<SoftwareRow[]> {
  return softwareOf(
    ctx,
    sql`select distinct software_id as id from software_keys
      where tenant_id = ${ctx.tenantId} and software_id > ${after} order by id limit ${limit}`,
  )
}

/** All software that was matched under one of these package names. */
export function matchedUnder(
  ctx: Ctx,
  keys: readonly { readonly ecosystem: string; readonly package: string }[],
): Promise<SoftwareRow[]> {
  return softwareOf(
    ctx,
    sql`select distinct k.software_id as id
      from unnest(${keys.map((it) => it.ecosystem)}::text[], ${keys.map((it) => it.package)}::text[]) as t(ecosystem, package)
      join software_keys k on k.tenant_id = ${ctx.tenantId} and k.ecosystem = t.ecosystem and k.package = t.package`,
  )
}

const softwareOf = (ctx: Ctx, ids: ReturnType<typeof sql>): Promise<SoftwareRow[]> =>
  ctx.db.all(sql<SoftwareRow>`
    with ids as materialized (${ids})
    select ${softwareColumns} from ids join software w on w.id = ids.id where w.tenant_id = ${ctx.tenantId}
    order by id`)
