import { randomUUID } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import type { SubjectsWritten } from '../db.ts'

/**
 * Every transaction that writes for a tenant replaces the tenant's version, in its own commit and last of all, and says
 * what it wrote. So two equal versions mean that nothing of the tenant changed between them, and the numbers between two
 * different ones say what did.
 */

/** `for update` and the like only lock; `do update` belongs to an insert. */
const WRITES =
  /\b(?:insert\s+into|delete\s+from|merge\s+into|truncate(?:\s+table)?|(?<!\b(?:for|for\s+no\s+key|do)\s+)update)\b(?:\s+only\b)?\s*"?([a-z_]\w*)?/gi

export const mayWrite = (statement: string): boolean => statement.search(WRITES) >= 0

/** What a transaction wrote so far. */
export interface Written {
  /** Tables of which any row may have been written. */
  readonly tables: Set<string>
  /** Tables of which only rows of these subjects were written. */
  readonly subjectTables: Set<string>
  readonly subjectIds: Set<string>
}

const ANY_TABLE = '*'
/** A transaction that wrote rows of more subjects counts as a change of whole tables. */
const SUBJECTS_MAX = 5_000
const CHANGES_KEPT = 2_048

export const nothingWritten = (): Written => ({
  tables: new Set(),
  subjectTables: new Set(),
  subjectIds: new Set(),
})

export const hasWritten = ({ tables, subjectTables }: Written): boolean =>
  tables.size + subjectTables.size > 0

/** Notes what the statement writes. Where `about` is a function, `noteSubjects` has to follow once the rows are there. */
export function noteStatement(written: Written, statement: string, about?: SubjectsWritten): void {
  for (const [, table = ANY_TABLE] of statement.matchAll(WRITES))
    (about && table !== ANY_TABLE ? written.subjectTables : written.tables).add(table.toLowerCase())
  if (about && typeof about !== 'function') noteSubjects(written, about)
}

export function noteSubjects(written: Written, ids: readonly string[] | 'all'): void {
  if (ids === 'all') for (const table of written.subjectTables) written.tables.add(table)
  else for (const id of ids) written.subjectIds.add(id)
}

/** The last statements before the commit. Random ids, so that a database restored from a backup comes to no version that it had before. */
export function replaceVersion(tenantId: string, written: Written): RawBuilder<unknown>[] {
  const version = randomUUID()
  const isMany = written.subjectIds.size > SUBJECTS_MAX
  const tables = [...written.tables, ...(isMany ? written.subjectTables : [])]
  const [subjectTables, subjectIds] = isMany
    ? [[], []]
    : [[...written.subjectTables], [...written.subjectIds]]
  return [
    sql`
      insert into tenant_versions (tenant_id, version, number)
      select ${tenantId}::uuid, ${version}::uuid, 1 where pg_current_xact_id_if_assigned() is not null and refuse_moving(${tenantId})
      on conflict (tenant_id) do update set version = excluded.version, number = tenant_versions.number + 1`,
    sql`
      insert into tenant_changes (tenant_id, number, version, tables, subject_tables, subject_ids)
      select tenant_id, number, version, ${tables}::text[], ${subjectTables}::text[], ${subjectIds}::uuid[]
      from tenant_versions where tenant_id = ${tenantId} and version = ${version}`,
    ...(Math.random() * CHANGES_KEPT < PRUNED_OF_KEPT ? [pruneChanges(tenantId)] : []),
  ]
}

/** How often changes are pruned, on average, in `CHANGES_KEPT` transactions. */
const PRUNED_OF_KEPT = 8

const pruneChanges = (tenantId: string): RawBuilder<unknown> => sql`
  delete from tenant_changes where tenant_id = ${tenantId} and number <= (
    select number - ${CHANGES_KEPT} from tenant_versions where tenant_id = ${tenantId})`

export interface Version {
  readonly version: string
  readonly number: number
}

/** Returns no row before the first change. */
export const readVersion = (tenantId: string): RawBuilder<Version> =>
  sql<Version>`select version, number from tenant_versions where tenant_id = ${tenantId}`

export interface TenantChange extends Version {
  /** Whether the tenant has this version now. */
  readonly isPresent: boolean
  /** Whether a whole table that the query names was written. */
  readonly isOfAll: boolean
  /** The subjects whose rows in tables that the query names were written; null where, with those of earlier changes, they are more than `most`. */
  readonly subjectIds: readonly string[] | null
}

export interface ChangesWanted {
  readonly tenantId: string
  readonly since: Version
  /** The words of the query, the names of its tables among them. */
  readonly names: readonly string[]
  /** The most subjects that are told; see `TenantChange.subjectIds`. */
  readonly most: number
}

/** The changes from `since` on, itself included, in the order of commits. */
export const changesFrom = ({
  tenantId,
  since: { number },
  names,
  most,
}: ChangesWanted): RawBuilder<TenantChange> => sql<TenantChange>`
  with asked as materialized (select ${names}::text[] as names),
  written as (
    select c.number, c.version, c.tables && (a.names || ${ANY_TABLE}::text) as "isOfAll",
      case when c.number > ${number} and c.subject_tables && a.names then c.subject_ids else '{}' end as ids
    from tenant_changes c cross join asked a where c.tenant_id = ${tenantId} and c.number >= ${number}
  )
  select w.number, w.version, w."isOfAll",
    case when sum(cardinality(w.ids)) over (order by w.number) <= ${most} then w.ids end as "subjectIds",
    exists (select from tenant_versions v
      where v.tenant_id = ${tenantId} and v.number = w.number and v.version = w.version) as "isPresent"
  from written w order by w.number`

/** The subjects that have changed after `since`; undefined: all may have. */
export function subjectsChanged(
  changes: readonly TenantChange[],
  since: Version,
): readonly string[] | undefined {
  const [first, ...later] = changes
  // a version that was replaced by hand has no row here
  if (first?.version !== since.version || !changes.at(-1)?.isPresent) return undefined
  const ids = new Set<string>()
  for (const [at, { number, isOfAll, subjectIds }] of later.entries()) {
    if (number !== since.number + 1 + at || isOfAll || !subjectIds) return undefined
    for (const id of subjectIds) ids.add(id)
  }
  return [...ids]
}
