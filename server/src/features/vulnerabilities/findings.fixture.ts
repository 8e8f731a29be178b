import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { submit } from '#features/sources/sources.ts'
import type { Ssvc } from '#features/advisories/advisory.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import type { FoundMatch } from './matching/find-matches.ts'
import { replaceMatches, writeFacts, type RatedFacts } from './matching/match-store.ts'
import { severityOf } from './severity.ts'
import { syncAssets } from './findings/sync-findings.ts'

/** For tests: creates findings. Software is written to the inventory and matches to the tables of matching. */
export interface FindingSpec {
  readonly cveId?: string
  /** 0 to 10. */
  readonly score?: number
  readonly grade?: FoundMatch['grade']
  readonly confidence?: number
  readonly description?: string
  readonly epss?: number
  readonly kev?: string
  readonly ssvc?: Ssvc
}

const word = (): string => randomBytes(6).toString('hex')

/** Creates an asset; returns its id. */
export async function createAsset(
  ctx: Ctx,
  name = `host-${word()}`,
  tags: readonly string[] = [],
): Promise<string> {
  await submit(ctx, { kind: 'csv', name: 'test' }, [
    {
      sourceKey: name,
      seenAt: ctx.now(),
      assetType: 'device',
      name,
      tags: [...tags],
      identifiers: [{ type: 'serial', value: name }],
    },
  ])
  const { id } = await ctx.db.one(
    sql<{ id: string }>`select id from assets where tenant_id = ${ctx.tenantId} and name = ${name}`,
  )
  return id
}

export interface SoftwareSpec {
  readonly name?: string
  readonly version?: string
  readonly origin?: string
  readonly ecosystem?: string
  readonly source?: string
}

/** Creates one distinct software; returns its id. */
export async function createSoftware(ctx: Ctx, given: SoftwareSpec = {}): Promise<number> {
  const { name = 'openssl', version = '3.0.1', origin = 'dpkg', ecosystem = 'Debian:12', source = '' } = given
  const { id } = await ctx.db.one(sql<{ id: number }>`
    insert into software (tenant_id, digest, origin, ecosystem, name, version, arch, source_name, source_version, vendor,
      purl, cpe, vendor_key, product_key, first_seen)
    values (${ctx.tenantId}, ${randomBytes(16)}, ${origin}, ${ecosystem}, ${name}, ${version}, '', ${source}, '', '', '',
      '', '', '', ${ctx.now()}) returning id`)
  return id
}

/** Replaces the installed software of one origin on the asset. */
export async function install(
  ctx: Ctx,
  assetId: string,
  ids: readonly number[],
  origin = 'dpkg',
): Promise<void> {
  await ctx.db.run(sql`
    insert into software_sets (observation_id, origin, tenant_id, ids, hash, reported_at)
    select id, ${origin}, ${ctx.tenantId}, ${[...ids].toSorted((a, b) => a - b)}::bigint[], '', ${ctx.now()}
    from asset_observations where tenant_id = ${ctx.tenantId} and asset_id = ${assetId} order by id limit 1
    on conflict (tenant_id, observation_id, origin) do update set ids = excluded.ids, reported_at = excluded.reported_at`)
  await ctx.db.run(sql`
    update asset_observations set last_seen = ${ctx.now()} where tenant_id = ${ctx.tenantId} and asset_id = ${assetId}`)
}

/** Replaces all matches of the software. */
export async function createMatches(
  ctx: Ctx,
  softwareId: number,
  specs: readonly FindingSpec[],
): Promise<void> {
  const { name, version } = await ctx.db.one(
    sql<{ name: string; version: string }>`select name, version from software where id = ${softwareId}`,
  )
  const matches = specs.map((it) => matchOf(it, name, version))
  await atomically(ctx, async (inner) => {
    await writeFacts(inner, specs.map(factsOf))
    await replaceMatches(inner, [
      { softwareId, package: name, software: `${name} ${version}`, isSelfReported: false, keys: [], matches },
    ])
  })
}

const FIX = '3.0.2'

const matchOf = (
  { cveId = 'CVE-2024-0001', grade = 'exact', confidence = 0.99 }: FindingSpec,
  name: string,
  version: string,
): FoundMatch => ({
  cveId,
  feed: 'debian',
  record: cveId,
  grade,
  confidence,
  fixedVersion: FIX,
  kernel: '',
  derivation: {
    by: 'distribution',
    feed: 'debian',
    record: cveId,
    ecosystem: 'Debian:12',
    package: name,
    rule: `before ${FIX}`,
    algorithm: 'dpkg',
    installedVersion: version,
    fixedVersion: FIX,
    notes: [],
  },
})

function factsOf({
  cveId = 'CVE-2024-0001',
  score = 7.5,
  description = 'A flaw.',
  epss,
  kev,
  ssvc,
}: FindingSpec): RatedFacts {
  const tenths = Math.round(score * 10)
  return {
    severity: severityOf(tenths),
    tenths,
    isScored: true,
    facts: {
      id: cveId,
      state: 'published',
      isDisputed: false,
      scores: [],
      description,
      weaknesses: [],
      references: [],
      records: [],
      ...(ssvc && { ssvc }),
      ...(epss !== undefined && { likelihood: { cveId, epss, percentile: 0.5 } }),
      ...(kev !== undefined && { exploited: { cveId, addedOn: kev, isByRansomware: false } }),
    },
  }
}

export const sync = (ctx: Ctx, assetId: string): Promise<void> =>
  atomically(ctx, (inner) => syncAssets(inner, { assetIds: [assetId] }))

/** Creates an asset with open findings; returns its id. */
export async function createFindings(ctx: Ctx, specs: readonly FindingSpec[] = [{}]): Promise<string> {
  const assetId = await createAsset(ctx)
  const softwareId = await createSoftware(ctx, { name: `lib${word()}` })
  await createMatches(ctx, softwareId, specs)
  await install(ctx, assetId, [softwareId])
  await sync(ctx, assetId)
  return assetId
}

/** The only finding of an asset. */
export async function findingOf(ctx: Ctx, assetId: string): Promise<string> {
  const { id } = await ctx.db.one(
    sql<{ id: string }>`select id from findings where tenant_id = ${ctx.tenantId} and asset_id = ${assetId}`,
  )
  return id
}
