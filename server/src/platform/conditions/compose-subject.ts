import { sql, type RawBuilder } from 'kysely'
import {
  ofPart,
  type Collection,
  type CollectionSql,
  type Field,
  type Row,
  type Vocabulary,
} from './field.ts'
import type {
  ConditionPart,
  FieldOrigin,
  PartCollection,
  PartField,
  Subject,
  SubjectRows,
} from './subject.ts'

type Expressions = Readonly<Record<string, RawBuilder<unknown>>>

/**
 * One kind of subject from what features say about it. Throws where two give the same name, and where no feature, or
 * more than one, gives its rows: faults of the program.
 */
export function composeSubject(all: readonly ConditionPart[], name: string): Subject {
  const parts = all.filter(({ subject }) => subject === name)
  const [rows, another] = parts.flatMap((part) => part.rows ?? [])
  if (!rows || another)
    throw new Error(`conditions on ${name}: ${rows ? 'two features give' : 'none gives'} rows`)
  const owner = ownerOf(all, rows)
  const fields = [...parts.flatMap((part) => part.fields ?? []), ...(owner ? fieldsOfOwner(owner) : [])]
  const collections = [...parts.flatMap((part) => part.collections ?? []), ...(owner?.collections ?? [])]
  const names = fields.flatMap((it) => [it.name, ...(it.aliases ?? [])])
  for (const given of [names, collections.map((it) => it.name)]) refuseTwice(name, given)
  const joins = [
    ...(rows.owner && owner ? [rows.owner.join, ...owner.joins] : []),
    ...parts.flatMap((part) => part.join ?? []),
  ]
  const vocabulary: Vocabulary = {
    fields: fields.map((field) =>
      fieldFrom(field, () => (owner && isOfOwner(owner, field) ? ofOwner(owner) : vocabulary)),
    ),
    collections: collections.map(collectionFrom),
    ...(rows.search && { search: { sql: rows.search.sql, test: rows.search.test } }),
  }
  return {
    name,
    vocabulary,
    fields,
    collections,
    origins: new Map([
      ...vocabulary.fields.map((field, at) => [field, { field: fields[at] ?? field }] as const),
      ...vocabulary.collections.flatMap((it, at) => originsIn(it, collections[at])),
    ]),
    joins,
    from: sql.join([rows.from, ...joins], sql` `),
    where: rows.where,
    ...(rows.usual && { usual: rows.usual }),
    id: rows.id,
    ...(rows.idType && { idType: rows.idType }),
    ...(rows.about && { about: rows.about }),
    ...(rows.order && { order: rows.order }),
    ...(rows.tie && { tie: rows.tie }),
    values: {
      ...valuesOf(fields),
      ...elementsOf(collections),
      ...rows.search?.texts,
      ...(owner && prefixed(owner, owner.searchTexts)),
    },
    searchTexts: rows.search?.texts ?? {},
  }
}

/** Nothing where the parts that have its rows were left out, because the reader may not see them. */
const ownerOf = (all: readonly ConditionPart[], { owner }: SubjectRows): Subject | undefined =>
  owner && all.some(({ subject, rows }) => rows && subject === owner.subject)
    ? composeSubject(all, owner.subject)
    : undefined

function refuseTwice(subject: string, names: readonly string[]): void {
  const twice = names.find((it, at) => names.indexOf(it) !== at)
  if (twice !== undefined) throw new Error(`conditions on ${subject}: ${twice} is there twice`)
}

const fieldsOfOwner = ({ name, fields }: Subject): PartField[] =>
  fields.map(({ isIndexed: _ofItsOwnTable, ...field }) => ({
    ...field,
    name: `${name}.${field.name}`,
    ...(field.aliases && { aliases: field.aliases.map((it) => `${name}.${it}`) }),
  }))

const isOfOwner = (owner: Subject, { name }: PartField): boolean => name.startsWith(`${owner.name}.`)

/** Values of the owner have its name and a dot before theirs in the row of what belongs to it; elements do not. */
const ofOwner = (owner: Subject): Vocabulary =>
  ofPart(owner.vocabulary, (row) => ({
    ...row,
    ...Object.fromEntries(
      [
        ...owner.fields.flatMap(({ name }) => [name, knownKeyOf(name)]),
        ...Object.keys(owner.searchTexts),
      ].map((name) => [name, row[`${owner.name}.${name}`]]),
    ),
  }))

const prefixed = (owner: Subject, expressions: Expressions): Expressions =>
  Object.fromEntries(Object.entries(expressions).map(([name, it]) => [`${owner.name}.${name}`, it]))

function fieldFrom(
  { label: _label, order: _order, namedConditions: all, knownMembersSql, ...field }: PartField,
  vocabulary: () => Vocabulary,
): Field {
  return {
    ...field,
    read: (row) => row[field.name],
    ...(knownMembersSql && {
      knownMembers: { sql: knownMembersSql, read: (row: Row) => row[knownKeyOf(field.name)] },
    }),
    ...(all && { named: { all, vocabulary } }),
  }
}

function collectionFrom(part: PartCollection): Collection {
  const { name, sentence, source, usual, fields } = part
  return {
    name,
    sentence,
    source,
    ...(usual !== undefined && { usual }),
    fields: fields.map((field) => fieldFrom(field, () => ({ fields: [], collections: [] }))),
    elements: (row) => (row[keyOf(part)] ?? undefined) as readonly Row[] | undefined,
    sql: sqlOf(part),
  }
}

const originsIn = ({ fields }: Collection, part: PartCollection | undefined): [Field, FieldOrigin][] =>
  part ? fields.map((field, at) => [field, { field: part.fields[at] ?? field, collection: part }]) : []

function sqlOf({ isKnown, from, of, ofMany, dictionary, fields }: PartCollection): CollectionSql {
  if (!dictionary) {
    return {
      kind: 'rows',
      isKnown,
      from,
      of,
      ...(ofMany && { ofMany }),
      any: (inner) => sql`exists (select from ${from} where ${of} and ${inner})`,
      count: (inner) => sql`(select count(*) from ${from} where ${of} and ${inner})`,
    }
  }
  const { id, any, anyAtAll, together, entries, size, held = { from, of, id } } = dictionary
  const isAmong = (ids: readonly number[]) => sql`${held.id} = any(${[...ids]}::bigint[])`
  return {
    kind: 'dictionary',
    isKnown,
    any,
    held,
    anyOfFew: (ids) =>
      ids.length === 0
        ? sql`false`
        : sql`exists (select from ${held.from} where ${held.of} and ${isAmong(ids)})`,
    count: (ids) =>
      sql`(select count(distinct ${held.id}) from ${held.from} where ${held.of} and ${isAmong(ids)})`,
    anyAtAll,
    ...(together && { together }),
    size,
    entries: (maybe) => entries(sql`${asJson(valuesOf(fields))} as "row"`, maybe),
  }
}

/** Collections have a key of their own beside fields, since a field may have the same name. */
const keyOf = ({ name }: { readonly name: string }): string => `${name}()`

/** In a row, beside the value: no field has a name with a blank. */
const knownKeyOf = (name: string): string => `${name} known`

/** Under which keys a row has what is asked of a field or collection. */
export const keysOf = {
  field: ({ name }: { readonly name: string }): string[] => [name, knownKeyOf(name)],
  collection: (it: { readonly name: string }): string[] => [keyOf(it)],
}

/** Expressions of what `evaluate` reads, by the names in a row. */
export const valuesOf = (fields: readonly PartField[]): Expressions =>
  Object.fromEntries(
    fields.flatMap(({ name, label, sql: normalized, knownMembersSql }) => {
      const value = label ?? normalized
      const known: [string, RawBuilder<unknown>][] = knownMembersSql
        ? [[knownKeyOf(name), knownMembersSql]]
        : []
      return value ? [[name, value], ...known] : known
    }),
  )

const elementsOf = (collections: readonly PartCollection[]): Expressions =>
  Object.fromEntries(
    collections.map((it) => [
      keyOf(it),
      sql`(case when ${it.isKnown} then (select coalesce(json_agg(e.element), '[]') from (${rowsOf(it)}) e) end)`,
    ]),
  )

const rowsOf = ({ from, of, fields, dictionary }: PartCollection): RawBuilder<unknown> =>
  sql`select ${dictionary ? sql`distinct on (${dictionary.id})` : sql``} ${asJson(valuesOf(fields))} as element
    from ${from} where ${of}`

/** An object of the values by name; `json_build_object` takes no more than fifty. */
export const asJson = (values: Expressions): RawBuilder<unknown> =>
  sql`(select row_to_json(r) from (select ${sql.join(
    Object.entries(values).map(([name, value]) => sql`${value} as ${sql.id(name)}`),
  )}) r)`
