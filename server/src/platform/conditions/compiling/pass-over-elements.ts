import { sql, type RawBuilder } from 'kysely'
import type { CollectionSql } from '../field.ts'
import type { Truth } from '../three-valued-logic.ts'
import { columnsOf, type Columns } from './columns.ts'

/** One pass over the elements of a subject, whatever number of conditions asks about them. */
export interface Pass {
  readonly sql: CollectionSql
  /** The join that passes over them; none while nobody has asked. */
  readonly joined: () => readonly RawBuilder<unknown>[]
}

interface Place {
  /** Of the relation that the pass is joined to; what is asked becomes a column of it. */
  readonly columns: Columns
  readonly name: string
}

export function passOver(collection: CollectionSql, place: Place): Pass {
  return collection.kind === 'rows' ? overRows(collection, place) : overDictionary(collection, place)
}

const isAny = (inner: RawBuilder<unknown>) => sql<boolean>`coalesce(bool_or(${inner}), false)`

function overRows(collection: CollectionSql & { kind: 'rows' }, { columns, name }: Place): Pass {
  const answers = columnsOf(name)
  return {
    sql: {
      ...collection,
      isKnown: columns.add(collection.isKnown),
      any: (inner: RawBuilder<Truth>) => columns.add(answers.add(isAny(inner))),
      count: (inner: RawBuilder<Truth>) =>
        columns.add(answers.add(sql<number>`count(*) filter (where ${inner})`)),
    },
    joined: () => joinOf(name, answers, sql`${collection.from} where ${collection.of}`),
  }
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
