import { sql } from 'kysely'
import type { PackageKey, VulnerabilityFacts } from '#features/advisories/advisories.ts'
import type { Ctx } from '#platform/context.ts'
import type { FoundMatch } from './find-matches.ts'
import type { Rating } from '../severity.ts'

/** Writes matches of software and facts of CVEs, each only where it changed. */

export interface SoftwareMatches {
  readonly softwareId: number
  /** Name without version. */
  readonly package: string
  /** Name and version. */
  readonly software: string
  readonly isSelfReported: boolean
  readonly keys: readonly PackageKey[]
  readonly matches: readonly FoundMatch[]
}

/** Replaces the matches of this software; returns the ids whose matches changed. */
export async function replaceMatches(ctx: Ctx, found: readonly SoftwareMatches[]): Promise<number[]> {
  await replaceKeys(ctx, found)
  const rows = found.flatMap(({ softwareId, package: name, software, isSelfReported, matches }) =>
    matches.map((match) => ({ softwareId, package: name, software, isSelfReported, ...match })),
  )
  const changed = await ctx.db.all(sql<{ id: number }>`
    with fresh as materialized (
      select "softwareId" as software_id, package, software, "isSelfReported" as is_hearsay, "cveId" as cve_id, feed, record,
        grade, confidence, "fixedVersion" as fixed_version, kernel, derivation
      from json_to_recordset(${JSON.stringify(rows)}::json) as r("softwareId" bigint, package text, software text,
        "isSelfReported" boolean, "cveId" text, feed text, record text, grade text, confidence double precision,
        "fixedVersion" text, kernel text, derivation jsonb)
    ),
    ended as (
      update software_matches m set ended_at = ${ctx.now()}
      where m.tenant_id = ${ctx.tenantId} and m.software_id = any(${found.map((it) => it.softwareId)}::bigint[])
        and m.ended_at is null and not exists (
          select from fresh f where f.software_id = m.software_id and f.cve_id = m.cve_id and f.feed = m.feed
            and f.record = m.record)
      returning m.software_id
    ),
    written as (
      insert into software_matches as m (tenant_id, software_id, cve_id, feed, record, grade, confidence, package,
        software, fixed_version, kernel, is_hearsay, derivation)
      select ${ctx.tenantId}, software_id, cve_id, feed, record, grade, confidence, package, software, fixed_version,
        kernel, is_hearsay, derivation from fresh
      on conflict (tenant_id, software_id, cve_id, feed, record) do update set grade = excluded.grade,
        confidence = excluded.confidence, package = excluded.package, software = excluded.software,
        fixed_version = excluded.fixed_version, kernel = excluded.kernel, is_hearsay = excluded.is_hearsay,
        derivation = excluded.derivation, ended_at = null
      where m.ended_at is not null
        or (m.grade, m.confidence, m.fixed_version, m.kernel, m.is_hearsay, m.derivation) is distinct from
           (excluded.grade, excluded.confidence, excluded.fixed_version, excluded.kernel, excluded.is_hearsay, excluded.derivation)
      returning m.software_id
    )
    select distinct software_id as id from (select * from ended union all select * from written) changed`)
  return changed.map(({ id }) => id)
}

/** Software without any key gets an empty one, which marks it as matched. */
async function replaceKeys(ctx: Ctx, found: readonly SoftwareMatches[]): Promise<void> {
  const rows = found.flatMap(({ softwareId, keys }) =>
    (keys.length > 0 ? keys : [{ ecosystem: '', package: '' }]).map((key) => ({ softwareId, ...key })),
  )
  const fresh = sql`unnest(${rows.map((it) => it.softwareId)}::bigint[], ${rows.map((it) => it.ecosystem)}::text[],
    ${rows.map((it) => it.package)}::text[]) as r(software_id, ecosystem, package)`
  await ctx.db.run(sql`
    delete from software_keys k where k.tenant_id = ${ctx.tenantId}
      and k.software_id = any(${found.map((it) => it.softwareId)}::bigint[])
      and not exists (select from ${fresh} where r.software_id = k.software_id and r.ecosystem = k.ecosystem
        and r.package = k.package)`)
  await ctx.db.run(sql`
    insert into software_keys (tenant_id, software_id, ecosystem, package)
    select distinct ${ctx.tenantId}::uuid, software_id, ecosystem, package from ${fresh}
    on conflict (tenant_id, software_id, ecosystem, package) do nothing`)
}

export interface RatedFacts extends Rating {
  readonly facts: VulnerabilityFacts
}

interface ChangedFacts {
  readonly cveId: string
  /** Severity or score changed. */
  readonly isRerated: boolean
}

/** Upserts facts; returns the CVEs whose severity, score, EPSS, KEV date or SSVC changed. */
export async function writeFacts(ctx: Ctx, rated: readonly RatedFacts[]): Promise<readonly ChangedFacts[]> {
  if (rated.length === 0) return []
  const rows = rated.map(rowOf)
  return ctx.db.about(assetsIn).all(sql<ChangedFacts & WithAssets>`
    with fresh as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as r(id text, description text, severity text,
        tenths smallint, "isScored" boolean, epss double precision, kev date, due date,
        exploitation text, automatable boolean, impact text)
    ),
    before as materialized (
      select v.* from vulnerabilities v join fresh f on f.id = v.cve_id where v.tenant_id = ${ctx.tenantId}
    ),
    written as (
      insert into vulnerabilities as v (tenant_id, cve_id, description, severity, score, is_scored, epss, kev_added_on,
        kev_due_on, ssvc_exploitation, ssvc_is_automatable, ssvc_impact)
      select ${ctx.tenantId}, id, description, severity, tenths, "isScored", epss, kev, due, exploitation, automatable,
        impact from fresh order by id
      on conflict (tenant_id, cve_id) do update set description = excluded.description, severity = excluded.severity,
        score = excluded.score, is_scored = excluded.is_scored, epss = excluded.epss, kev_added_on = excluded.kev_added_on,
        kev_due_on = excluded.kev_due_on, ssvc_exploitation = excluded.ssvc_exploitation,
        ssvc_is_automatable = excluded.ssvc_is_automatable, ssvc_impact = excluded.ssvc_impact
      where (v.description, v.severity, v.score, v.is_scored, v.epss, v.kev_added_on, v.kev_due_on, v.ssvc_exploitation,
          v.ssvc_is_automatable, v.ssvc_impact) is distinct from
        (excluded.description, excluded.severity, excluded.score, excluded.is_scored, excluded.epss, excluded.kev_added_on,
          excluded.kev_due_on, excluded.ssvc_exploitation, excluded.ssvc_is_automatable, excluded.ssvc_impact)
      returning v.*
    ),
    changed as materialized (
      select w.cve_id as "cveId", (b.severity, b.score) is distinct from (w.severity, w.score) as "isRerated"
      from written w join before b on b.cve_id = w.cve_id
      where (b.severity, b.score, b.epss, b.kev_added_on, b.kev_due_on, b.ssvc_exploitation, b.ssvc_is_automatable)
        is distinct from
        (w.severity, w.score, w.epss, w.kev_added_on, w.kev_due_on, w.ssvc_exploitation, w.ssvc_is_automatable)
    )
    select c.*, case when row_number() over () = 1 then array(
      select f.asset_id from changed x join findings f on f.tenant_id = ${ctx.tenantId} and f.cve_id = x."cveId"
      limit ${ASSETS_TOLD_MAX + 1}) end as "assetIds"
    from changed c`)
}

const rowOf = ({ facts, severity, tenths, isScored }: RatedFacts) => ({
  id: facts.id,
  description: facts.description,
  severity,
  tenths,
  isScored,
  epss: facts.likelihood?.epss ?? null,
  kev: facts.exploited?.addedOn ?? null,
  due: facts.exploited?.dueOn ?? null,
  exploitation: facts.ssvc?.exploitation ?? null,
  automatable: facts.ssvc?.isAutomatable ?? null,
  impact: facts.ssvc?.impact ?? null,
})

const ASSETS_TOLD_MAX = 5_000

interface WithAssets {
  /** In the first row: those with a finding of any of the CVEs, or one more than are told. */
  readonly assetIds: readonly string[] | null
}

/** Of a new CVE there are no findings yet. */
function assetsIn(rows: readonly WithAssets[]): readonly string[] | 'all' {
  const ids = rows.flatMap(({ assetIds }) => assetIds ?? [])
  return ids.length > ASSETS_TOLD_MAX ? 'all' : ids
}

/** Those of the CVEs that the tenant has no row of. */
export async function unknownAmong(ctx: Ctx, cveIds: readonly string[]): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ id: string }>`
    select id from unnest(${[...cveIds]}::text[]) as id
    except select cve_id from vulnerabilities where tenant_id = ${ctx.tenantId}`)
  return rows.map(({ id }) => id)
}

/** Keyset page, by id, of those of the CVEs (or of all) that the tenant has a row of. */
export async function knownAmong(
  ctx: Ctx,
  cveIds: readonly string[] | 'all',
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<string[]> {
  const wanted = cveIds === 'all' ? sql`true` : sql`cve_id = any(${[...cveIds]}::text[])`
  const rows = await ctx.db.all(sql<{ id: string }>`
    select cve_id as id from vulnerabilities where tenant_id = ${ctx.tenantId} and cve_id > ${after} and ${wanted}
    order by cve_id limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** Ends all matches of rejected or withdrawn CVEs; returns the ids of the software they matched. */
export async function endMatchesOf(ctx: Ctx, cveIds: readonly string[]): Promise<number[]> {
  const rows = await ctx.db.all(sql<{ id: number }>`
    update software_matches set ended_at = ${ctx.now()}
    where tenant_id = ${ctx.tenantId} and cve_id = any(${[...cveIds]}::text[]) and ended_at is null
    returning software_id as id`)
  return [...new Set(rows.map(({ id }) => id))]
}

/** The next findings of these CVEs, in the order of their ids. */
export async function findingsOf(
  ctx: Ctx,
  cveIds: readonly string[],
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<{ readonly id: string; readonly assetId: string }[]> {
  return ctx.db.all(sql<{ id: string; assetId: string }>`
    select id, asset_id as "assetId" from findings
    where tenant_id = ${ctx.tenantId} and cve_id = any(${[...cveIds]}::text[]) and id > ${after}
    order by id limit ${limit}`)
}
