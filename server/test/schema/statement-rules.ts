import type { Tables } from '../../src/platform/database/tables.ts'
import { allWords, callsIn, namesTenant, tableUses, wordsOf, type TableUse, type Words } from './statement.ts'

export interface Schema {
  readonly tables: Tables
  /** Functions that read tables. */
  readonly readers: ReadonlySet<string>
}

/** A rule about a statement that uses a table of tenants. */
export interface StatementRule {
  readonly name: string
  /** Answers the offences. `uses` are of all kinds of tables. */
  readonly offences: (words: Words, uses: readonly TableUse[], schema: Schema) => string[]
  /** A statement that breaks it. */
  readonly offence: string
}

const CLOCKS = new Set(
  'now clock_timestamp statement_timestamp transaction_timestamp timeofday current_timestamp current_date random gen_random_uuid uuidv7 nextval'.split(
    ' ',
  ),
)

export const statementRules: readonly StatementRule[] = [
  {
    name: 'names the tenant of every table',
    offences: (_, uses, { tables }) =>
      ofTenants(uses, tables)
        .filter((it) => it.does !== 'inserts' && !namesTenant(it))
        .map(({ table, alias }) => `${table} ${alias}: no ${alias}.tenant_id = $n`),
    offence: 'select a.name from assets a join findings f on f.asset_id = a.id where a.tenant_id = $1',
  },
  {
    name: 'writes the tenant into what it inserts',
    offences: (_, uses, { tables }) =>
      ofTenants(uses, tables)
        .filter((it) => it.does === 'inserts' && !firstList(it.query, it.at).includes('tenant_id'))
        .map(({ table }) => `${table}: no tenant_id among the columns`),
    offence: 'insert into asset_counts (asset_type, n) values ($1, 1)',
  },
  {
    name: 'uses tables of tenants alone',
    offences: (_, uses, { tables }) =>
      ofTenants(uses, tables).length === 0
        ? []
        : uses
            .filter(({ table }) => tables[table] !== 'tenant')
            .map(({ table }) => `${table} is another kind`),
    offence: 'select t.id from tenants t join assets a on a.tenant_id = $1 where t.id = $1',
  },
  {
    name: 'changes one table of tenants',
    offences(_, uses, { tables }) {
      const changed = ofTenants(uses, tables).filter(({ does }) => does !== 'reads')
      const names = [...new Set(changed.map(({ table }) => table))]
      return names.length > 1 ? [`changes ${names.join(' and ')}`] : []
    },
    offence: `with gone as (delete from assets where tenant_id = $1 returning id)
      delete from asset_search s using gone where s.tenant_id = $1 and s.asset_id = gone.id`,
  },
  {
    name: 'names the whole key where rows may be there already',
    offences: (_, uses, { tables }) =>
      ofTenants(uses, tables)
        .filter(({ query, does, at }) => {
          const conflict = query.indexOf('conflict', at)
          return does === 'inserts' && conflict > 0 && !firstList(query, conflict, 1).includes('tenant_id')
        })
        .map(({ table }) => `${table}: on conflict without its key`),
    offence: 'insert into asset_counts (tenant_id, asset_type, n) values ($1, $2, 1) on conflict do nothing',
  },
  {
    name: 'asks no clock in do update set',
    offences: (_, uses, { tables }) =>
      ofTenants(uses, tables).flatMap(({ query, does, table, at }) => {
        const conflict = query.indexOf('conflict', at)
        if (does !== 'inserts' || conflict < 0) return []
        return allWords(query.slice(conflict))
          .filter((word) => CLOCKS.has(word))
          .map((word) => `${table}: ${word} in do update set`)
      }),
    offence: `insert into matching_due (tenant_id, asset_id, marked_at) values ($1, $2, $3)
      on conflict (tenant_id, asset_id) do update set marked_at = clock_timestamp()`,
  },
  {
    name: 'calls no function that reads tables',
    offences: (words, uses, { tables, readers }) =>
      ofTenants(uses, tables).length === 0
        ? []
        : callsIn(words)
            .filter((name) => readers.has(name))
            .map((name) => `${name} is called beside tables`),
    offence: `select a.name from search_assets($2, null, 50, 0) f join assets a on a.id = f.id and a.tenant_id = $1`,
  },
]

const ofTenants = (uses: readonly TableUse[], tables: Tables): TableUse[] =>
  uses.filter(({ table }) => tables[table] === 'tenant')

/** What stands in the first parentheses behind `at`; `within`: so many words further at the most. */
function firstList(query: Words, at: number, within = 4): string[] {
  const list = query.slice(at + 1, at + 1 + within).find((it) => typeof it !== 'string')
  return list === undefined || typeof list === 'string' ? [] : allWords(list)
}

/** The offences of a statement, each with the rule that it breaks. */
export function offencesOf(text: string, schema: Schema): string[] {
  const words = wordsOf(text)
  const uses = tableUses(words, (name) => name in schema.tables)
  return statementRules.flatMap((rule) =>
    rule.offences(words, uses, schema).map((it) => `${rule.name}: ${it}`),
  )
}
