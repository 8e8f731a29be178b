import { sql, type RawBuilder } from 'kysely'
import type { DictionaryEntry, Row } from '#platform/conditions/field.ts'
import { searchedIn } from '#platform/conditions/lists/word-search.ts'
import type { ConditionPart, PartCollection, PartField, SubjectRows } from '#platform/conditions/subject.ts'
import type { Truth } from '#platform/conditions/three-valued-logic.ts'
import type { Ctx } from '#platform/context.ts'
import { holdersOf } from '../listing/software-holders-store.ts'
import type { SoftwareList } from '../lists/list-entry.ts'
import { entryCount, isListed } from '../lists/software-list-store.ts'

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

/** Over the alias `s`. */
export const fieldsOfEntry = (ctx: Ctx, compareVersion: OrderVersions): readonly PartField[] => [
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
  {
    name: 'eol',
    type: 'date',
    sentence:
      'The day on which its maker stops supporting the version; of packages of a distribution never known.',
    source: `${source}; the feed endoflife.date`,
    sql: sql`s.ends_on`,
  },
  text('arch', 'The architecture that it was built for.', sql`nullif(s.arch, '')`),
  {
    name: 'forbidden',
    type: 'bool',
    sentence: 'Whether it is on the list of forbidden software.',
    source: `${source}; the list of forbidden software`,
    sql: isListed(ctx, 'forbidden'),
  },
  {
    name: 'allowed',
    type: 'bool',
    sentence: 'Whether it is on the list of allowed software.',
    source: `${source}; the list of allowed software`,
    sql: isListed(ctx, 'allowed'),
  },
]

export function conditionParts(ctx: Ctx, compareVersion: OrderVersions): readonly ConditionPart[] {
  const [lists, system] = [listsOf(ctx), systemOf(ctx)]
  return [
    {
      subject: 'asset',
      permission: 'assets:read',
      fields: [
        { ...lastRead(ctx), together: { join: lists, sql: sql`held_lists.last_read` } },
        { ...systemEnd(ctx), together: { join: system, sql: sql`held_system.ends_on` } },
        { ...rebootPending(ctx), together: { join: system, sql: sql`held_system.reboot_pending` } },
        { ...perUser(ctx), together: { join: lists, sql: sql`held_lists.is_per_user` } },
        listLength(ctx, 'forbidden'),
        listLength(ctx, 'allowed'),
      ],
      collections: [software(ctx, compareVersion, lists)],
    },
    {
      subject: 'software',
      permission: 'assets:read',
      rows: rows(ctx),
      fields: [...ofDictionary, ...fieldsOfEntry(ctx, compareVersion).map(asField)],
    },
  ]
}

/** All that is asked about the lists of an asset, one of each source and manager, in one pass over them. */
const listsOf = (ctx: Ctx) => sql`
  left join lateral (
    select coalesce(bool_or(hs.origin <> 'os'), false) as is_known,
      coalesce(bool_or(hs.origin <> 'os' and cardinality(hs.ids) > 0), false) as has_entries,
      max(ho.last_seen) filter (where hs.origin <> 'os') as last_read,
      bool_or(${hasUsers(sql`hs.details`)}) filter (where hs.origin = 'windows') as is_per_user
    from asset_observations ho
    join software_sets hs on hs.tenant_id = ${ctx.tenantId} and hs.observation_id = ho.id
    where ho.tenant_id = ${ctx.tenantId} and ho.asset_id = a.id) held_lists on true`

/** The operating system as the source told it that was seen last; the others may tell of one that was replaced. */
const systemOf = (ctx: Ctx) => sql`
  left join lateral (
    select hy.ends_on, hy.reboot_pending from asset_observations ho
    join software_systems hy on hy.tenant_id = ${ctx.tenantId} and hy.observation_id = ho.id
    where ho.tenant_id = ${ctx.tenantId} and ho.asset_id = a.id order by ho.last_seen desc, ho.id limit 1
  ) held_system on true`

const hasUsers = (details: RawBuilder<unknown>) =>
  sql`jsonb_path_exists(coalesce(${details}, '{}'), '$.*.users')`

/** Only lists ask about entries themselves, so texts are compared as the database folds them. */
const asField = (field: PartField): PartField =>
  field.label && !field.sql && field.type === 'text'
    ? { ...field, sql: sql`lower(${field.label})` }
    : { ...field, ...(field.name === 'name' && { order: sql`lower(s.name)` }) }

const ofDictionary: readonly PartField[] = [
  {
    name: 'id',
    type: 'text',
    sentence: 'The id of the entry: one name in one version, as one manager lists it.',
    source,
    isAlwaysKnown: true,
    sql: sql`s.id::text`,
  },
  {
    name: 'installs',
    type: 'number',
    sentence:
      'In how many lists of software it stands: on how many assets, where each asset is read by one source.',
    source,
    isAlwaysKnown: true,
    sql: sql`s.installs`,
  },
  {
    name: 'first_seen',
    type: 'instant',
    sentence: 'When it was first seen on any asset.',
    source,
    isAlwaysKnown: true,
    sql: sql`s.first_seen`,
  },
  {
    name: 'source_package',
    type: 'text',
    sentence: 'The package that it was built from.',
    source,
    label: sql`nullif(s.source_name, '')`,
    sql: sql`lower(nullif(s.source_name, ''))`,
  },
]

/** Words are sought in name, vendor and source package. */
const rows = (ctx: Ctx): SubjectRows => ({
  from: sql`software s`,
  where: sql`s.tenant_id = ${ctx.tenantId} and s.origin <> 'os' and s.installs > 0`,
  id: sql`s.id`,
  idType: 'bigint',
  search: searchedIn(sql`lower(s.name || ' ' || s.vendor || ' ' || s.source_name)`),
})

const lastRead = (ctx: Ctx): PartField => ({
  name: 'software_read',
  type: 'instant',
  sentence: 'When a source that lists its software saw it last.',
  source,
  sql: sql`(select max(ro.last_seen) from asset_observations ro
    join software_sets rs on rs.tenant_id = ${ctx.tenantId} and rs.observation_id = ro.id and rs.origin <> 'os'
    where ro.tenant_id = ${ctx.tenantId} and ro.asset_id = a.id)`,
})

/** As the source says that was seen last; the others may tell of a system that was replaced. */
const ofSystem = ({ tenantId }: Ctx, column: 'ends_on' | 'reboot_pending') =>
  sql`(select ${sql.ref(`sy.${column}`)} from asset_observations so
    join software_systems sy on sy.tenant_id = ${tenantId} and sy.observation_id = so.id
    where so.tenant_id = ${tenantId} and so.asset_id = a.id order by so.last_seen desc, so.id limit 1)`

const systemEnd = (ctx: Ctx): PartField => ({
  name: 'os_eol',
  type: 'date',
  sentence:
    'The day on which public support of its operating system ends. Unknown where the release is not listed at endoflife.date.',
  source: 'scans that log in and agents; the feed endoflife.date',
  sql: ofSystem(ctx, 'ends_on'),
})

const rebootPending = (ctx: Ctx): PartField => ({
  name: 'reboot_pending',
  type: 'bool',
  sentence:
    'Whether another kernel runs than the newest that is installed. Unknown where no package of kernels is listed, as in containers.',
  source: 'scans that log in by SSH and agents, of Linux',
  sql: ofSystem(ctx, 'reboot_pending'),
})

const perUser = (ctx: Ctx): PartField => ({
  name: 'per_user_software',
  type: 'bool',
  sentence:
    'Whether a person installed software for themselves alone, beside what is installed for all users.',
  source: 'scans that log in to Windows, of the people who are signed in',
  sql: sql`(select bool_or(${hasUsers(sql`us.details`)}) from asset_observations uo
    join software_sets us on us.tenant_id = ${ctx.tenantId} and us.observation_id = uo.id and us.origin = 'windows'
    where uo.tenant_id = ${ctx.tenantId} and uo.asset_id = a.id)`,
})

/** So that a condition on listed software can be unknown, not true, as long as nobody listed any. */
const listLength = (ctx: Ctx, list: SoftwareList): PartField => ({
  name: `${list}_entries`,
  type: 'number',
  sentence: `How many entries the list of ${list} software has. The same for all assets; unknown while it has none: \`${list}_entries > 0 and ${LISTED[list]}\`.`,
  source: `the list of ${list} software`,
  sql: entryCount(ctx, list),
})

const LISTED: Readonly<Record<SoftwareList, string>> = {
  forbidden: 'no software(forbidden = yes)',
  allowed: 'no software(allowed = no)',
}

const software = (ctx: Ctx, compareVersion: OrderVersions, lists: RawBuilder<unknown>): PartCollection => ({
  name: 'software',
  sentence: 'Software that is installed on the asset.',
  source,
  fields: fieldsOfEntry(ctx, compareVersion),
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
    // all entries of a list are of its origin
    anyAtAll: sql`exists (select from asset_observations eo
      join software_sets es on es.tenant_id = ${ctx.tenantId} and es.observation_id = eo.id
      where eo.tenant_id = ${ctx.tenantId} and eo.asset_id = a.id and es.origin <> 'os' and cardinality(es.ids) > 0)`,
    together: {
      join: lists,
      isKnown: sql`held_lists.is_known`,
      anyAtAll: sql`held_lists.has_entries`,
    },
    // entries are never those of an operating system, so the dictionary itself need not be read
    held: {
      from: sql`asset_observations o
        join software_sets t on t.tenant_id = ${ctx.tenantId} and t.observation_id = o.id
        cross join unnest(t.ids) as held (id)`,
      of: sql`o.tenant_id = ${ctx.tenantId} and o.asset_id = a.id`,
      id: sql`held.id`,
    },
    valueCounts: (value) => sql`
      select value, sum(installs)::bigint as count from (
        select ${value} as value, s.installs from software s
        where s.tenant_id = ${ctx.tenantId} and s.origin <> 'os' and s.installs > 0) entries
      where value is not null group by value order by count desc, value`,
    size: async () => {
      const [row] = await ctx.db.cached(
        sql<{ n: number }>`select count(*)::int as n from ${entriesOf(ctx)}`,
        DICTIONARY,
      )
      return row?.n ?? 0
    },
    entries: (columns, maybe) => entries(ctx, columns, maybe),
  },
})

/** Asked by the index of sets, which only a function of another role can use, so in a statement of its own. */
async function isHolder(ctx: Ctx, ids: readonly number[]): Promise<RawBuilder<boolean>> {
  if (ids.length === 0) return sql`false`
  const holders = await ctx.db.cached(sql<{ id: string }>`
    select distinct asset_id as id from ${holdersOf(ctx, ids)} h`)
  return sql`(a.id = any(${holders.map(({ id }) => id)}::uuid[]))`
}

const entries = (
  ctx: Ctx,
  columns: RawBuilder<unknown>,
  maybe: RawBuilder<Truth>,
): Promise<readonly DictionaryEntry[]> =>
  ctx.db.cached(
    sql<DictionaryEntry>`select s.id, ${columns} from ${entriesOf(ctx)} and ${maybe} is not false`,
    DICTIONARY,
  )

/** All that fields of entries are read from. */
const DICTIONARY = ['software', 'software_list_entries']

/** Those of operating systems are none. */
const entriesOf = (ctx: Ctx) =>
  sql`software s where s.tenant_id = ${ctx.tenantId} and s.origin <> 'os' and s.installs > 0`
