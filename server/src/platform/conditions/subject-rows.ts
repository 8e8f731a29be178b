import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import { asJson } from './compose-subject.ts'
import type { Row } from './field.ts'
import type { Subject } from './subject.ts'

/**
 * The subjects of these ids as `evaluate` reads them, by id; those that the tenant does not have are missing. At most
 * some hundreds at a time: the elements of all collections come with them.
 */
export async function subjectRows(
  db: Db,
  { from, where, id, values }: Subject,
  ids: readonly string[],
): Promise<Map<string, Row>> {
  const rows = await db.all(sql<{ id: string; row: Row }>`
    select ${id} as id, ${asJson(values)} as "row" from ${from}
    where ${where} and ${id} = any(${[...ids]}::uuid[])`)
  return new Map(rows.map((it) => [it.id, it.row]))
}
