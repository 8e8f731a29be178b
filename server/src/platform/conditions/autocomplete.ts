import { ConditionError } from './condition-error.ts'
import type { Collection, Field, Vocabulary } from './field.ts'
import { normalizeText } from './normalize-text.ts'
import { comparisonsOf, parseCondition } from './parse.ts'
import { Scanner, type Wanted } from './tokenizer.ts'

export const suggestionKinds = ['field', 'keyword', 'comparison', 'value', 'collection'] as const

/** One suggestion. Applied by replacing the characters from `from` to `to` with `text`. */
export interface Suggestion {
  readonly kind: (typeof suggestionKinds)[number]
  readonly text: string
  /** What it means, in one sentence; how often it occurs, for values. */
  readonly detail: string
}

export interface Completion {
  readonly from: number
  readonly to: number
  readonly suggestions: readonly Suggestion[]
}

/** Values that occur, those with the most assets first. `typed` is normalized (`normalizeText`). */
export type ValuesOf = (field: Field, typed: string) => Promise<readonly { value: string; count: number }[]>

const SUGGESTIONS_MAX = 50
/** Spans that people ask for. */
const SPANS = ['-1d', '-7d', '-30d', '-90d', '+30d', '+90d']

/** What may stand at the end of `text`, which is a condition up to the cursor. */
export async function complete(
  text: string,
  vocabulary: Vocabulary,
  valuesOf: ValuesOf,
): Promise<Completion> {
  const scanner = new Scanner(text)
  try {
    parseCondition(text, vocabulary, { scanner })
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error
    // a fault before the end has to be mended first; at the end, something is only missing
    if (error.position < (scanner.lastWanted?.from ?? 0)) return nothingAt(text.length)
  }
  if (!scanner.lastWanted) return nothingAt(text.length)
  const { from, wanted } = scanner.lastWanted
  const typed = text.slice(from)
  const suggestions = (await suggestionsFor(wanted, normalizeText(typed.replace(/^"/, '')), valuesOf)).slice(
    0,
    SUGGESTIONS_MAX,
  )
  return { from, to: text.length, suggestions }
}

const nothingAt = (at: number): Completion => ({ from: at, to: at, suggestions: [] })

async function suggestionsFor(wanted: Wanted, typed: string, valuesOf: ValuesOf): Promise<Suggestion[]> {
  const starting = (all: Suggestion[]) => all.filter(({ text }) => normalizeText(text).startsWith(typed))
  switch (wanted.what) {
    case 'term':
      return starting([...fieldsOf(wanted.vocabulary), ...beginnings(wanted.vocabulary)])
    case 'field':
      return starting(fieldsOf(wanted.vocabulary))
    case 'comparison':
      return starting(comparisonSuggestions(wanted.field))
    case 'collection':
      return starting(wanted.vocabulary.collections.map(collectionSuggestion))
    case 'open':
      return starting([{ kind: 'keyword', text: '(', detail: 'what must hold of one of them' }])
    case 'joint':
      return starting([
        { kind: 'keyword', text: 'and', detail: 'both must hold' },
        { kind: 'keyword', text: 'or', detail: 'one of them must hold' },
      ])
    case 'value':
      return valueSuggestions(wanted.field, typed, valuesOf)
  }
}

const fieldsOf = ({ fields }: Vocabulary): Suggestion[] =>
  fields.map(({ name, sentence }) => ({ kind: 'field', text: name, detail: sentence }))

const collectionSuggestion = ({ name, sentence }: Collection): Suggestion => ({
  kind: 'collection',
  text: name,
  detail: sentence,
})

function beginnings({ collections }: Vocabulary): Suggestion[] {
  const ofCollections = collections.flatMap(({ name, sentence }): Suggestion[] => [
    { kind: 'collection', text: `any ${name}`, detail: `at least one: ${sentence}` },
    { kind: 'collection', text: `no ${name}`, detail: `none: ${sentence}` },
    { kind: 'collection', text: `count ${name}`, detail: `how many: ${sentence}` },
  ])
  return [
    ...ofCollections,
    { kind: 'keyword', text: 'not', detail: 'the opposite' },
    { kind: 'keyword', text: 'has', detail: 'whether anything was collected' },
  ]
}

const MEANINGS: Readonly<Record<string, string>> = {
  '=': 'is',
  '!=': 'is not',
  '<': 'below, or before',
  '<=': 'at most, or until',
  '>': 'above, or after',
  '>=': 'at least, or since',
  ':': 'contains',
}

const comparisonSuggestions = (field: Field): Suggestion[] => [
  ...comparisonsOf(field).map((text): Suggestion => ({
    kind: 'comparison',
    text,
    detail: MEANINGS[text] ?? '',
  })),
  { kind: 'comparison', text: 'in', detail: 'is one of several' },
]

async function valueSuggestions(field: Field, typed: string, valuesOf: ValuesOf): Promise<Suggestion[]> {
  const { type, values, suggested, named, sentence } = field
  if (type === 'bool') return among(['yes', 'no'], typed, sentence)
  if (type === 'date' || type === 'instant') return among(SPANS, typed, `from now; ${sentence}`)
  if (named)
    return among(
      named.all.map(({ name }) => name),
      typed,
      sentence,
    )
  const counted = await valuesOf(field, typed)
  const known = new Set(counted.map(({ value }) => normalizeText(value)))
  const rest = (values ?? suggested ?? []).filter((value) => !known.has(normalizeText(value)))
  return [
    ...counted.map(({ value, count }): Suggestion => ({
      kind: 'value',
      text: quoted(value),
      detail: String(count),
    })),
    ...among(rest, typed, '0'),
  ]
}

const among = (values: readonly string[], typed: string, detail: string): Suggestion[] =>
  values
    .filter((value) => normalizeText(value).includes(typed))
    .map((value) => ({ kind: 'value', text: quoted(value), detail }))

/** As it has to be written after a comparison. */
const quoted = (value: string): string =>
  /^[^\s(),"$\\]+$/.test(value) ? value : `"${value.replaceAll(/["\\]/g, '\\$&')}"`
