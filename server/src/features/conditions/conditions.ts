/** Conditions: what may be asked of each subject, completion while one writes, counts of what matches, saved views. */
import { complete, type Completion } from '#platform/conditions/autocomplete.ts'
import type { Field } from '#platform/conditions/field.ts'
import { comparisonsOf, LENGTH_MAX } from '#platform/conditions/parse.ts'
import type { PartField, Subject } from '#platform/conditions/subject.ts'
import { decidedSql } from '#platform/conditions/compiling/decided-in-memory.ts'
import { minuteOf, withCondition, withinTime } from '#platform/conditions/with-condition.ts'
import { invalid } from '#platform/errors.ts'
import type { Ctx } from '#platform/context.ts'
import type { Decided, ValueCount } from './condition-counts.ts'
import * as store from './condition-store.ts'

export interface FieldHelp {
  readonly name: string
  readonly aliases: readonly string[]
  readonly type: Field['type']
  readonly isList: boolean
  readonly unit: string
  readonly sentence: string
  readonly source: string
  readonly comparisons: readonly string[]
  /** All that there are; empty where there may be others. */
  readonly values: readonly string[]
}

export interface VocabularyHelp {
  readonly fields: readonly FieldHelp[]
  readonly collections: readonly {
    readonly name: string
    readonly sentence: string
    /** What holds as well, unless the condition asks about the same field; may be empty. */
    readonly usual: string
    readonly fields: readonly FieldHelp[]
  }[]
}

/** What the actor may ask about; 403 for who may not read the subject. */
export async function vocabularyHelp(ctx: Ctx, name: string): Promise<VocabularyHelp> {
  const { vocabulary } = await ctx.conditions.on(ctx, name)
  return {
    fields: vocabulary.fields.map(helpOf),
    collections: vocabulary.collections.map(({ name: it, sentence, usual = '', fields }) => ({
      name: it,
      sentence,
      usual,
      fields: fields.map(helpOf),
    })),
  }
}

const helpOf = (field: Field): FieldHelp => ({
  name: field.name,
  aliases: field.aliases ?? [],
  type: field.type,
  isList: field.isList ?? false,
  unit: field.unit ?? '',
  sentence: field.sentence,
  source: field.source,
  comparisons: comparisonsOf(field),
  values: field.values ?? field.named?.all.map((it) => it.name) ?? [],
})

const VALUES_OFFERED = 50

/** What may stand at `cursor`, a number of characters from the beginning of `text`; what is behind it does not count. */
export async function completions(
  ctx: Ctx,
  name: string,
  { text, cursor }: { readonly text: string; readonly cursor: number },
): Promise<Completion> {
  if (text.length > LENGTH_MAX) throw invalid('text', `must have at most ${LENGTH_MAX} characters`)
  if (cursor < 0 || cursor > text.length) throw invalid('cursor', `must be from 0 to ${text.length}`)
  return withinTime(ctx, 'text', async (inner) => {
    const subject = await inner.conditions.on(inner, name)
    return complete(text.slice(0, cursor), subject.vocabulary, (field, typed) =>
      occurringValues(inner, subject, field, typed),
    )
  })
}

/** Of a field of the subject, those that contain `typed`, the most frequent first; none where they are not counted. */
export async function occurringValues(
  ctx: Ctx,
  subject: Subject,
  field: Field,
  typed: string,
): Promise<readonly ValueCount[]> {
  const origin = subject.origins.get(field)
  if (!origin || !isCounted(origin.field)) return []
  return store.occurringValues(ctx, subject, origin, { typed, limit: VALUES_OFFERED })
}

/** For how many the condition is true, and for how many nobody knows. */
export function countWhere(ctx: Ctx, name: string, where: string): Promise<Decided> {
  return withCondition(ctx, { subject: name, text: where }, async (inner, filter) => {
    const { subject, condition } = filter
    const question = { subject, condition, field: 'where', now: minuteOf(inner) }
    return store.countDecided(inner, filter, await decidedSql(inner, question))
  })
}

export interface Facet {
  readonly field: string
  readonly values: readonly ValueCount[]
  /** How many of what matches have no known value, or an empty list. */
  readonly without: number
}

export interface FacetQuestion {
  readonly subject: string
  /** Empty: all. */
  readonly where: string
  readonly fields: readonly string[]
  /** At most so many values of each field. */
  readonly first: number
}

const FIELDS_MAX = 10
const VALUES_MAX = 500
/** True of everything. */
const EVERYTHING = 'has id'

/** How often each value of the fields occurs among what matches, the most frequent first. */
export function facets(
  ctx: Ctx,
  { subject: name, where, fields: names, first }: FacetQuestion,
): Promise<Facet[]> {
  if (names.length === 0 || names.length > FIELDS_MAX) throw invalid('fields', `must be 1 to ${FIELDS_MAX}`)
  if (first < 1 || first > VALUES_MAX) throw invalid('first', `must be from 1 to ${VALUES_MAX}`)
  return withCondition(ctx, { subject: name, text: where.trim() || EVERYTHING }, async (inner, filter) => {
    const fields = names.map((it) => countedField(filter.subject, it))
    // one more, because the unknown may be among them
    const rows = await store.facetRows(inner, filter, fields, first + 1)
    const byPlace = Map.groupBy(rows, ({ place }) => place)
    return fields.map((field, at): Facet => {
      const counted = byPlace.get(at) ?? []
      const values = counted.flatMap(({ value, count }) => (value === null ? [] : [{ value, count }]))
      const without = counted.find(({ value }) => value === null)?.count ?? 0
      return { field: field.name, values: values.slice(0, first), without }
    })
  })
}

function countedField({ fields }: Subject, name: string): PartField {
  const field = fields.find((it) => it.name === name || it.aliases?.includes(name))
  if (!field) throw invalid('fields', `there is no field ${name}`)
  if (!isCounted(field)) throw invalid('fields', `values of ${name} cannot be counted`)
  return field
}

/** Instants are as many as subjects. */
const isCounted = ({ type, namedConditions }: PartField): boolean =>
  type !== 'instant' && type !== 'date' && !namedConditions
