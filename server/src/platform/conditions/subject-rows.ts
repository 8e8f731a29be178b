import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import { asJson, keysOf } from './compose-subject.ts'
import type { Condition } from './condition.ts'
import type { Row } from './field.ts'
import type { Subject } from './subject.ts'

/**
 * The subjects of these ids as `evaluate` reads them, by id; those that the tenant does not have are missing. At most
 * some hundreds at a time: the elements of all collections come with them.
 */
export async function subjectRows(
  db: Db,
  { from, where, id, idType = 'uuid', values }: Subject,
  ids: readonly string[],
): Promise<Map<string, Row>> {
  const rows = await db.all(sql<{ id: string; row: Row }>`
    select ${id}::text as id, ${asJson(values)} as "row" from ${from}
    where ${where} and ${id} = any(${[...ids]}::${sql.raw(idType)}[])`)
  return new Map(rows.map((it) => [it.id, it.row]))
}

/** With the values alone that the conditions ask about, so that no others are read; `word` asks about none. */
export function askingOnly(subject: Subject, conditions: readonly Condition[]): Subject {
  const wanted = new Set(conditions.flatMap(keysAsked))
  return {
    ...subject,
    values: Object.fromEntries(Object.entries(subject.values).filter(([key]) => wanted.has(key))),
  }
}

function keysAsked(condition: Condition): string[] {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.parts.flatMap(keysAsked)
    case 'not':
    case 'named':
      return keysAsked(condition.part)
    case 'any':
    case 'no':
    case 'count':
      return keysOf.collection(condition.collection)
    case 'compare':
    case 'in':
    case 'has':
      return keysOf.field(condition.field)
    case 'word':
      return []
  }
}
