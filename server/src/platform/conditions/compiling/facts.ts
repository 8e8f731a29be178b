import { sql, type RawBuilder } from 'kysely'
import type { Collection, CollectionSql, Field, ReadTogether, Vocabulary } from '../field.ts'
import type { Subject } from '../subject.ts'
import { columnsOf, type Columns } from './columns.ts'
import { passOver, type Among, type Pass } from './pass-over-elements.ts'

/** For statements with many conditions on the same subjects. */
export interface Facts {
  /** Conditions that are compiled with it ask for columns of `from`. */
  readonly subject: Subject
  /**
   * The subjects whose ids are `among` those that are asked about, one row each, with its `id` and what the conditions that were compiled so far
   * ask about: read once however many of them ask, and the elements of each collection in one pass.
   */
  readonly from: (among: Among) => RawBuilder<unknown>
  readonly id: RawBuilder<string>
  /** How many columns `from` has by now; PostgreSQL allows a relation 1,664. */
  readonly width: () => number
}

const RELATION = 'facts'

export function factsOf(subject: Subject): Facts {
  const columns = columnsOf(RELATION)
  const shared = sharedJoins()
  const passes: Pass[] = []
  const mapped = new Map<Vocabulary, Vocabulary>()
  /** Also of conditions that have a name, which may be asked about by each other. */
  const mappedOf = (vocabulary: Vocabulary): Vocabulary => {
    const { search } = vocabulary
    const found = mapped.get(vocabulary) ?? {
      fields: vocabulary.fields.map((it) => withColumns(it, { columns, shared, mappedOf })),
      collections: vocabulary.collections.map((it): Collection => {
        const pass = passOver(shared.collection(it.sql), {
          columns,
          name: `pass${passes.length}`,
          id: subject.id,
        })
        passes.push(pass)
        return { ...it, sql: pass.sql }
      }),
      ...(search && { search: { ...search, sql: (text: string) => columns.add(search.sql(text)) } }),
    }
    mapped.set(vocabulary, found)
    return found
  }
  const { usual, vocabulary } = subject
  return {
    subject: {
      ...subject,
      vocabulary: mappedOf(vocabulary),
      conditionsRead: new Map(),
      ...(usual && { usual: { ...usual, where: columns.add(usual.where) } }),
    },
    id: sql.ref(`${RELATION}.id`),
    width: columns.width,
    // without `offset` the planner puts the expressions back to each place that asks for them
    from: (among) => sql`(
      select ${sql.join([sql`${subject.id} as id`, ...columns.selected()])}
      from ${subject.from} ${sql.join([sql``, ...shared.joined(), ...passes.flatMap((it) => it.joined(among))], sql` `)}
      where ${subject.where} and ${among(subject.id)} offset 0) as ${sql.id(RELATION)}`,
  }
}

/** The joins from which several values are read together; those alone that somebody asks for. */
function sharedJoins() {
  const joins = new Set<RawBuilder<unknown>>()
  return {
    joined: () => [...joins],
    value(alone: RawBuilder<unknown>, together: ReadTogether | undefined): RawBuilder<unknown> {
      if (!together) return alone
      joins.add(together.join)
      return together.sql
    },
    collection(it: CollectionSql): CollectionSql {
      if (it.kind !== 'dictionary' || !it.together) return it
      const { join, isKnown, anyAtAll } = it.together
      joins.add(join)
      return { ...it, isKnown, anyAtAll }
    },
  }
}

interface Mapping {
  readonly columns: Columns
  readonly shared: ReturnType<typeof sharedJoins>
  readonly mappedOf: (of: Vocabulary) => Vocabulary
}

/** What nobody asks about becomes no column. */
function withColumns(field: Field, { columns, shared, mappedOf }: Mapping): Field {
  const { sql: expression, together, knownMembers, named, ...others } = field
  const mapped: Field = {
    ...others,
    ...(named && { named: { ...named, vocabulary: () => mappedOf(named.vocabulary()) } }),
    ...(knownMembers && {
      knownMembers: {
        read: knownMembers.read,
        get sql() {
          return columns.add(knownMembers.sql)
        },
      },
    }),
  }
  if (!expression) return mapped
  return Object.defineProperty({ ...mapped }, 'sql', {
    enumerable: true,
    get: () => columns.add(shared.value(expression, together)),
  })
}
