import { sql, type RawBuilder } from 'kysely'
import type { Collection, Field, FieldType, Row, Vocabulary } from './field.ts'
import { normalizeText } from './normalize-text.ts'

/** A small vocabulary over rows as plain objects, and the same rows as a relation of PostgreSQL. */

/** What an expression of the fixture reads in SQL: rows of `jsonb_to_recordset`. */
const sqlTypes: Readonly<Record<FieldType, string>> = {
  text: 'text',
  number: 'float8',
  date: 'date',
  instant: 'timestamptz',
  bool: 'boolean',
  ip: 'inet',
  version: 'text',
}

const listTypes: Readonly<Partial<Record<FieldType, string>>> = { text: 'text[]', number: 'int[]' }

interface FixtureField extends Field {
  readonly column: string
}

const field = (name: string, type: FieldType, column = name, more: Partial<Field> = {}): FixtureField => ({
  name,
  type,
  column,
  sentence: `The ${name}.`,
  source: 'a test',
  sql: sql.ref(column),
  read: (row) => row[column],
  ...more,
})
const list = (name: string, type: FieldType, column: string) => field(name, type, column, { isList: true })

const findingFields = [
  field('status', 'text'),
  field('severity', 'text'),
  field('score', 'number'),
  field('kev', 'bool'),
  field('found_at', 'instant'),
  field('cve_id', 'text'),
]

const softwareFields = [
  field('name', 'text', 'name', { aliases: ['product'] }),
  field('vendor', 'text'),
  field('version', 'version', 'version', { compareVersion }),
]

export const fields: readonly FixtureField[] = [
  field('type', 'text', 'asset_type'),
  field('os', 'text'),
  field('vendor', 'text'),
  field('owner', 'text'),
  field('site', 'text'),
  field('criticality', 'text'),
  field('os_family', 'text'),
  field('smb_signing', 'text'),
  field('edr', 'text'),
  list('tag', 'text', 'tags'),
  list('service', 'text', 'services'),
  field('port', 'number', 'open_ports', {
    isList: true,
    knownMembers: { sql: sql.ref('known_ports'), read: (row) => row['known_ports'] },
  }),
  field('risk', 'number', 'risk_score'),
  field('cost', 'number'),
  field('memory_mb', 'number'),
  field('last_seen', 'instant'),
  field('first_seen', 'instant'),
  field('auth_scanned', 'instant'),
  field('boot_at', 'instant'),
  field('os_eol', 'date'),
  field('cert_ends', 'date'),
  field('disk_encrypted', 'bool'),
  field('ip', 'ip'),
]

export const vocabularyWith = (software: readonly Row[]): Vocabulary => {
  const byId = new Map(software.map((it) => [it['id'], it]))
  const findings: Collection = {
    name: 'finding',
    sentence: 'A vulnerability found on it.',
    source: 'a test',
    fields: findingFields,
    elements: (row) => row['findings'] as Row[] | undefined,
    sql: {
      kind: 'rows',
      isKnown: sql`(findings is not null)`,
      from: elements,
      of: sql`true`,
      any: (inner) => sql`exists (select from ${elements} where ${inner})`,
      count: (inner) => sql`(select count(*) from ${elements} where ${inner})`,
    },
  }
  const installed: Collection = {
    name: 'software',
    sentence: 'Something installed on it.',
    source: 'a test',
    fields: softwareFields,
    elements: (row) => (row['software_ids'] as number[] | undefined)?.map((id) => byId.get(id) ?? {}),
    sql: {
      kind: 'dictionary',
      isKnown: sql`(software_ids is not null)`,
      held: { from: sql`unnest(software_ids) as held (id)`, of: sql`true`, id: sql`held.id` },
      any: (ids) => sql`coalesce(software_ids && ${[...ids]}::int[], false)`,
      anyOfFew: (ids) =>
        sql`exists (select from unnest(software_ids) as id where id = any(${[...ids]}::int[]))`,
      count: (ids) =>
        sql`(select count(*) from unnest(software_ids) as id where id = any(${[...ids]}::int[]))`,
      anyAtAll: sql`coalesce(cardinality(software_ids) > 0, false)`,
      size: async () => software.length,
      entries: async () => software.map((row) => ({ id: Number(row['id']), row })),
    },
  }
  return {
    fields,
    collections: [findings, installed],
    search: {
      sql: (text) => sql`(strpos(name, ${normalizeText(text)}) > 0)`,
      test: (row, text) => {
        const name = row['name']
        return typeof name === 'string' ? normalizeText(name).includes(normalizeText(text)) : null
      },
    },
  }
}

const columnList = (all: readonly FixtureField[]): string =>
  all.map((it) => `${it.column} ${it.isList ? listTypes[it.type] : sqlTypes[it.type]}`).join(', ')

const elements = sql.raw(`jsonb_to_recordset(findings) as finding(${columnList(findingFields)})`)

/** The rows as SQL reads them: texts normalized, as they have to be stored. */
export function relationOf(rows: readonly Row[]): RawBuilder<unknown> {
  const stored = JSON.stringify(rows.map((row, place) => ({ ...normalized(row), place })))
  const columns = `place int, name text, known_ports int[], software_ids int[], findings jsonb, ${columnList(fields)}`
  return sql`jsonb_to_recordset(${stored}::jsonb) as asset(${sql.raw(columns)})`
}

function normalized(row: Row): Row {
  const text = (value: unknown): unknown => {
    if (typeof value === 'string') return /^\d{4}-\d\d-\d\d/.test(value) ? value : normalizeText(value)
    return Array.isArray(value) ? value.map((it) => (isRow(it) ? normalized(it) : text(it))) : value
  }
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, text(value)]))
}

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Numbers between dots, compared one by one. */
function compareVersion(row: Row, version: string): number | undefined {
  const [mine, other] = [row['version'], version].map((it) => String(it).split('.').map(Number))
  for (let at = 0; at < Math.max(mine?.length ?? 0, other?.length ?? 0); at++) {
    const difference = (mine?.[at] ?? 0) - (other?.[at] ?? 0)
    if (Number.isNaN(difference)) return undefined
    if (difference !== 0) return difference
  }
  return 0
}
