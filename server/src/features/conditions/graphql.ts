import { fromReplica } from '#platform/context.ts'
import { suggestionKinds, type Completion } from '#platform/conditions/autocomplete.ts'
import { fieldTypes } from '#platform/conditions/field.ts'
import type { EnumOf, Schema, TypeOf, WholeApp } from '#platform/graphql/schema.ts'
import type { Decided, ValueCount } from './condition-counts.ts'
import {
  completions,
  countWhere,
  facets,
  vocabularyHelp,
  type Facet,
  type FieldHelp,
  type VocabularyHelp,
} from './conditions.ts'
import { addViews } from './views/graphql.ts'

const VALUES_DEFAULT = 20

export function graphql(schema: Schema, { subjects }: WholeApp): void {
  const subject = schema.enumType('ConditionSubject', { values: subjects })
  addHelp(schema, subject)
  addCompletions(schema, subject)
  addCounts(schema, subject)
  addViews(schema, subject)
}

function addHelp(schema: Schema, subject: EnumOf<string>): void {
  const field = fieldType(schema)
  const collection = schema
    .objectRef<VocabularyHelp['collections'][number]>('ConditionCollection')
    .implement({
      description: 'Things that a subject has several of, for any, no and count.',
      fields: (t) => ({
        name: t.exposeString('name'),
        sentence: t.exposeString('sentence'),
        usual: t.exposeString('usual', {
          description: 'What holds as well, unless the condition asks about the same field; may be empty.',
        }),
        fields: t.field({ type: [field], resolve: (it) => it.fields }),
      }),
    })
  const vocabulary = schema.objectRef<VocabularyHelp>('ConditionVocabulary').implement({
    fields: (t) => ({
      fields: t.field({ type: [field], resolve: (it) => it.fields }),
      collections: t.field({ type: [collection], resolve: (it) => it.collections }),
    }),
  })
  schema.queryField('conditionFields', (t) =>
    t.field({
      type: vocabulary,
      description: 'What the caller may ask about in a condition.',
      args: { subject: t.arg({ type: subject, required: true, defaultValue: 'asset' }) },
      resolve: (_, { subject: of }, ctx) => vocabularyHelp(ctx, of),
    }),
  )
}

function fieldType(schema: Schema): TypeOf<FieldHelp> {
  const type = schema.enumType('ConditionFieldType', { values: fieldTypes })
  return schema.objectRef<FieldHelp>('ConditionField').implement({
    fields: (t) => ({
      name: t.exposeString('name'),
      aliases: t.exposeStringList('aliases', { description: 'Other names that are understood.' }),
      type: t.expose('type', { type }),
      isList: t.exposeBoolean('isList', { description: 'Several values, of which one must fit.' }),
      unit: t.exposeString('unit'),
      sentence: t.exposeString('sentence', { description: 'What it says.' }),
      source: t.exposeString('source', { description: 'What to turn on when it is unknown.' }),
      comparisons: t.exposeStringList('comparisons'),
      values: t.exposeStringList('values', {
        description: 'All that there are; empty where there may be others.',
      }),
    }),
  })
}

function addCompletions(schema: Schema, subject: EnumOf<string>): void {
  const kind = schema.enumType('ConditionSuggestionKind', { values: suggestionKinds })
  const suggestion = schema.objectRef<Completion['suggestions'][number]>('ConditionSuggestion').implement({
    fields: (t) => ({
      kind: t.expose('kind', { type: kind }),
      text: t.exposeString('text'),
      detail: t.exposeString('detail', {
        description: 'What it means; of a value, how often it occurs.',
      }),
    }),
  })
  const completion = schema.objectRef<Completion>('ConditionCompletion').implement({
    description: 'A suggestion takes the place of the characters from `from` to `to`.',
    fields: (t) => ({
      from: t.exposeInt('from'),
      to: t.exposeInt('to'),
      suggestions: t.field({ type: [suggestion], resolve: (it) => [...it.suggestions] }),
    }),
  })
  schema.queryField('conditionCompletions', (t) =>
    t.field({
      type: completion,
      description: 'What may stand at the cursor of a condition that is being written.',
      args: {
        subject: t.arg({ type: subject, required: true, defaultValue: 'asset' }),
        text: t.arg.string({ required: true }),
        cursor: t.arg.int({ description: 'Characters before it; at the end unless given.' }),
      },
      resolve: (_, { subject: of, text, cursor }, ctx) =>
        completions(ctx, of, { text, cursor: cursor ?? text.length }),
    }),
  )
}

function addCounts(schema: Schema, subject: EnumOf<string>): void {
  const decided = schema.objectRef<Decided>('ConditionCount').implement({
    fields: (t) => ({
      matching: t.exposeInt('matching', { description: 'The condition is true.' }),
      unknown: t.exposeInt('unknown', {
        description: 'The condition asks about what was never collected; lists leave these out.',
      }),
    }),
  })
  const value = schema.objectRef<ValueCount>('FacetValue').implement({
    fields: (t) => ({ value: t.exposeString('value'), count: t.exposeInt('count') }),
  })
  const facet = schema.objectRef<Facet>('Facet').implement({
    fields: (t) => ({
      field: t.exposeString('field'),
      values: t.field({ type: [value], resolve: (it) => [...it.values] }),
      without: t.exposeInt('without', { description: 'How many have no known value.' }),
    }),
  })
  const of = { type: subject, required: true, defaultValue: 'asset' } as const
  schema.queryFields((t) => ({
    conditionCount: t.field({
      type: decided,
      args: { subject: t.arg(of), where: t.arg.string({ required: true }) },
      resolve: (_, { subject: name, where }, ctx) =>
        fromReplica(ctx, (there) => countWhere(there, name, where)),
    }),
    facets: t.field({
      type: [facet],
      description:
        'How often each value of these fields occurs among what matches, the most frequent first; of a list, each member counts.',
      args: {
        subject: t.arg(of),
        where: t.arg.string({ required: true, defaultValue: '' }),
        fields: t.arg.stringList({ required: true, description: 'At most 10.' }),
        first: t.arg.int({ required: true, defaultValue: VALUES_DEFAULT }),
      },
      resolve: (_, { subject: name, ...question }, ctx) =>
        fromReplica(ctx, (there) => facets(there, { subject: name, ...question })),
    }),
  }))
}
