import { sql, type RawBuilder } from 'kysely'
import { conditionSql } from '#platform/conditions/compiling/to-sql.ts'
import { minuteOf, readCondition, rowsMeant } from '#platform/conditions/with-condition.ts'
import type { FieldType } from '#platform/conditions/field.ts'
import type { PartField } from '#platform/conditions/subject.ts'
import { readByCursor } from '#platform/database/cursor.ts'
import type { Cell, Column, ColumnKind } from '../dataset/dataset.ts'
import { reported } from '../kinds/asset-rows-store.ts'
import type { Collecting, Rows } from '../kinds/kind.ts'
import type { OpenTable } from './open-table.ts'
import { valueOf } from './table-source-store.ts'

type Chosen = Pick<Collecting, 'ctx' | 'assetIds'>

/** Every row once, in the order that was chosen; among equals by the name of the asset, and ids. */
export async function* tableRowsOf(chosen: Chosen, table: OpenTable): Rows {
  const { source, columns, group, sort } = table
  // by position: PostgreSQL cuts names after 63 bytes, and a custom field may have a longer one
  const cells = columns.map((field, at) => sql`${cellOf(field)} as ${sql.id(`c${at}`)}`)
  const order = [
    ...(group ? [sql`${orderKey(group)} nulls last`] : []),
    ...(sort ? [sql`${orderKey(sort.field)} ${sort.isDescending ? sql`desc` : sql`asc`} nulls last`] : []),
    sql`a.name collate "C", a.id, ${source.id}`,
  ]
  const batches = readByCursor(
    chosen.ctx.db,
    sql<Readonly<Record<string, Cell>>>`
    select ${sql.join(cells)} from ${source.from} where ${await rowsIn(chosen, table)} order by ${sql.join(order)}`,
  )
  for await (const rows of batches)
    yield rows.map((row) => Object.fromEntries(columns.map(({ name }, at) => [name, row[`c${at}`]])))
}

/** How many rows there are of each value of `group`, the most frequent first. */
export async function* groupRowsOf(chosen: Chosen, table: OpenTable & { group: PartField }): Rows {
  yield* readByCursor(
    chosen.ctx.db,
    sql<Readonly<Record<string, Cell>>>`
    select "group", count(*)::int as count
    from (select ${cellOf(table.group)} as "group" from ${table.source.from} where ${await rowsIn(chosen, table)}) g
    group by "group" order by count(*) desc, "group"::text collate "C" nulls last`,
  )
}

async function rowsIn(
  { ctx, assetIds }: Chosen,
  { source, chosen: { where } }: OpenTable,
): Promise<RawBuilder<unknown>> {
  const living = sql`${reported(assetIds)}`
  if (where === undefined) return sql`${source.where} and ${living}`
  const { subject } = source
  const condition = readCondition(subject, 'rows_where', where)
  const holds = await conditionSql(condition, {
    now: minuteOf(ctx),
    vocabulary: subject.vocabulary,
    isFilter: true,
  })
  return sql`${rowsMeant(subject, condition)} and ${living} and ${holds}`
}

const nothing = sql`null::text`

function cellOf(field: PartField): RawBuilder<unknown> {
  const value = valueOf(field) ?? nothing
  if (field.isList) return sql`nullif(array_to_string(${value}, ', '), '')`
  const kind = kindOf(field)
  if (kind === 'decimal') return sql`(${value})::text`
  return kind === 'text' ? textOf(value) : value
}

/** As JSON has it: an address without the length of its network. */
const textOf = (value: RawBuilder<unknown>): RawBuilder<unknown> => sql`(to_jsonb(${value}) #>> '{}')`

function orderKey(field: PartField): RawBuilder<unknown> {
  const kind = kindOf(field)
  if (kind === 'text') return sql`${cellOf(field)} collate "C"`
  return valueOf(field) ?? nothing
}

const kinds: Readonly<Record<FieldType, ColumnKind>> = {
  text: 'text',
  number: 'decimal',
  date: 'date',
  instant: 'instant',
  bool: 'yesno',
  ip: 'text',
  version: 'text',
}

const kindOf = ({ type, isList }: PartField): ColumnKind => (isList ? 'text' : kinds[type])

/** Words of names of fields that are written in capitals. */
const CAPITALS = /\b(bios|cpe|cpu|cve|cvss|eol|epss|id|ip|kev|mac|mfa|os|purl|smb|snmp|tpm|url|vlan)\b/g

/** `asset.os_version` as “Asset OS version”, and `memory_gb` with its unit as “Memory (GiB)”. */
export function columnOf(field: PartField, name: string = field.name): Column {
  const { unit } = field
  const words = field.name.replaceAll(/[._]/g, ' ').replaceAll(CAPITALS, (word) => word.toUpperCase())
  const bare = unit === undefined ? words : `${words.replace(/ gb$/, '')} (${unit})`
  return { name, title: bare.charAt(0).toUpperCase() + bare.slice(1), kind: kindOf(field) }
}
