import { sql, type RawBuilder } from 'kysely'
import type { CollectionSql, ElementsOfMany } from '../field.ts'
import type { Truth } from '../three-valued-logic.ts'
import { columnsOf, type Columns } from './columns.ts'

/** One pass over the elements of a subject, whatever number of conditions asks about them. */
export interface Pass {
  readonly sql: CollectionSql
  /** The join that passes over them; none while nobody has asked. */
  readonly joined: (among: Among) => readonly RawBuilder<unknown>[]
}

/** Whether an id of a subject is among those that are asked about. */
export type Among = (id: RawBuilder<unknown>) => RawBuilder<boolean>

interface Place {
  /** Of the relation that the pass is joined to; what is asked becomes a column of it. */
  readonly columns: Columns
  readonly name: string
  /** Of the subject. */
  readonly id: RawBuilder<unknown>
}

export function passOver(collection: CollectionSql, place: Place): Pass {
  return collection.kind === 'rows' ? overRows(collection, place) : overDictionary(collection, place)
}

const isAny = (inner: RawBuilder<unknown>) => sql<boolean>`coalesce(bool_or(${inner}), false)`

function overRows(collection: CollectionSql & { kind: 'rows' }, { columns, name, id }: Place): Pass {
  const answers = columnsOf(name)
  const { from, of, ofMany } = collection
  return {
    sql: {
      ...collection,
      isKnown: columns.add(collection.isKnown),
      any: (inner: RawBuilder<Truth>) =>
        columns.add(sql<boolean>`coalesce(${answers.add(isAny(inner))}, false)`),
      count: (inner: RawBuilder<Truth>) =>
        columns.add(sql<number>`coalesce(${answers.add(sql`count(*) filter (where ${inner})`)}, 0)`),
    },
    joined: (among) =>
      ofMany
        ? joinOfMany(name, answers, { from, ofMany, id, among })
        : joinOf(name, answers, sql`${from} where ${of}`),
  }
}

interface OfMany {
  readonly from: RawBuilder<unknown>
  readonly ofMany: ElementsOfMany
  readonly id: RawBuilder<unknown>
  readonly among: Among
}

/** A subject without elements has no row in it. */
function joinOfMany(
  name: string,
  answers: Columns,
  { from, ofMany: { where, subjectId }, id, among }: OfMany,
): RawBuilder<unknown>[] {
  const selected = answers.selected()
  if (selected.length === 0) return []
  return [
    sql`left join (
      select ${subjectId} as subject_id, ${sql.join(selected)} from ${from}
      where ${where} and ${among(subjectId)} group by ${subjectId}
    ) as ${sql.id(name)} on ${sql.ref(`${name}.subject_id`)} = ${id}`,
  ]
}

/** Reads those entries alone that somebody asks about. */
function overDictionary(collection: CollectionSql & { kind: 'dictionary' }, { columns, name }: Place): Pass {
  const { anyAtAll, count, held, isKnown } = collection
  const answers = columnsOf(name)
  const asked = new Set<number>()
  const any = (ids: readonly number[]) => {
    if (ids.length === 0) return sql<boolean>`false`
    for (const id of ids) asked.add(id)
    return columns.add(answers.add(isAny(sql`${held.id} = any(${[...ids]}::bigint[])`)))
  }
  return {
    sql: {
      ...collection,
      isKnown: columns.add(isKnown),
      any,
      anyOfFew: any,
      anyAtAll: columns.add(anyAtAll),
      count: (ids: readonly number[]) => columns.add(count(ids)),
    },
    joined: () =>
      joinOf(name, answers, sql`${held.from} where ${held.of} and ${held.id} = any(${[...asked]}::bigint[])`),
  }
}

function joinOf(name: string, answers: Columns, elements: RawBuilder<unknown>): RawBuilder<unknown>[] {
  const selected = answers.selected()
  if (selected.length === 0) return []
  return [sql`left join lateral (select ${sql.join(selected)} from ${elements}) as ${sql.id(name)} on true`]
}
