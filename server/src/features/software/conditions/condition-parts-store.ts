import { sql, type RawBuilder } from 'kysely'
import type { DictionaryEntry, Row } from '#platform/conditions/field.ts'
import type { ConditionPart, PartCollection, PartField } from '#platform/conditions/subject.ts'
import type { Truth } from '#platform/conditions/three-valued-logic.ts'
import type { Ctx } from '#platform/context.ts'
import { holdersOf } from '../listing/software-holders-store.ts'

/** What conditions may ask about the software of assets (`a`), of which `s` is an entry of the dictionary. */

/** Orders a version of an ecosystem against one that a person wrote: see `Field.compareVersion`. */
export type OrderVersions = (row: Row, version: string) => number | undefined

const source = 'scans that log in, agents, package lists and SBOM files'

const text = (name: string, sentence: string, label: RawBuilder<unknown>): PartField => ({
  name,
  type: 'text',
  sentence,
  source,
  label,
})

const fields = (compareVersion: OrderVersions): readonly PartField[] => [
  {
    ...text('name', 'The name, as its manager or register spells it.', sql`s.name`),
    sql: sql`s.normalized_name`,
  },
  {
    ...text('version', 'The version, in the order of its ecosystem.', sql`nullif(s.version, '')`),
    type: 'version',
    compareVersion,
  },
  text('vendor', 'The maker.', sql`nullif(s.vendor, '')`),
  text('ecosystem', 'Where the name means something: Debian:12, PyPI, npm …', sql`nullif(s.ecosystem, '')`),
  text('purl', 'The package URL, where the source gives one.', sql`nullif(s.purl, '')`),
  text('cpe', 'The CPE name, where the source gives one.', sql`nullif(s.cpe, '')`),
  text('origin', 'The manager or register that lists it: dpkg, rpm, windows …', sql`s.origin`),
  text('arch', 'The architecture that it was built for.', sql`nullif(s.arch, '')`),
]

export const conditionParts = (ctx: Ctx, compareVersion: OrderVersions): readonly ConditionPart[] => [
  {
    subject: 'asset',
    permission: 'assets:read',
    fields: [lastRead(ctx)],
    collections: [software(ctx, compareVersion)],
  },
]

const lastRead = (ctx: Ctx): PartField => ({
  name: 'software_read',
  type: 'instant',
  sentence: 'When a source that lists its software saw it last.',
  source,
  sql: sql`(select max(ro.last_seen) from asset_observations ro
    join software_sets rs on rs.tenant_id = ${ctx.tenantId} and rs.observation_id = ro.id and rs.origin <> 'os'
    where ro.tenant_id = ${ctx.tenantId} and ro.asset_id = a.id)`,
})

const software = (ctx: Ctx, compareVersion: OrderVersions): PartCollection => ({
  name: 'software',
  sentence: 'Software that is installed on the asset.',
  source,
  fields: fields(compareVersion),
  isKnown: sql`exists (
    select from asset_observations ko join software_sets ks on ks.tenant_id = ${ctx.tenantId} and ks.observation_id = ko.id
    where ko.tenant_id = ${ctx.tenantId} and ko.asset_id = a.id and ks.origin <> 'os')`,
  from: sql`asset_observations o
    join software_sets t on t.tenant_id = ${ctx.tenantId} and t.observation_id = o.id
    cross join unnest(t.ids) as held (id)
    join software s on s.tenant_id = ${ctx.tenantId} and s.id = held.id`,
  of: sql`o.tenant_id = ${ctx.tenantId} and o.asset_id = a.id and s.origin <> 'os'`,
  dictionary: {
    id: sql`s.id`,
    any: (ids) => isHolder(ctx, ids),
    valueCounts: (value) => sql`
      select value, sum(installs)::bigint as count from (
        select ${value} as value, s.installs from software s
        where s.tenant_id = ${ctx.tenantId} and s.origin <> 'os' and s.installs > 0) entries
      where value is not null group by value order by count desc, value`,
    entries: (columns, maybe) => entries(ctx, columns, maybe),
  },
})

/** Asked by the index of sets, which only a function of another role can use, so in a statement of its own. */
async function isHolder(ctx: Ctx, ids: readonly number[]): Promise<RawBuilder<boolean>> {
  if (ids.length === 0) return sql`false`
  const holders = await ctx.db.unchanged(sql<{ id: string }>`
    select distinct asset_id as id from ${holdersOf(ctx, ids)} h`)
  return sql`(a.id = any(${holders.map(({ id }) => id)}::uuid[]))`
}

const entries = (
  ctx: Ctx,
  columns: RawBuilder<unknown>,
  maybe: RawBuilder<Truth>,
): Promise<readonly DictionaryEntry[]> =>
  ctx.db.unchanged(sql<DictionaryEntry>`
    select s.id, ${columns} from software s
    where s.tenant_id = ${ctx.tenantId} and s.origin <> 'os' and s.installs > 0 and ${maybe} is not false`)
