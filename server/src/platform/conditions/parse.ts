import type { Comparison, Condition, NodeOf, Value } from './condition.ts'
import { ConditionError } from './condition-error.ts'
import type { Collection, Field, FieldType, NamedConditions, Vocabulary } from './field.ts'
import { normalizeText } from './normalize-text.ts'
import { Scanner, type Piece } from './tokenizer.ts'
import {
  fieldNamed,
  filled,
  readField,
  readOneValue,
  unknownField,
  type Budget,
  type Reading,
} from './reading.ts'

export const LENGTH_MAX = 4_096
const DEPTH_MAX = 32
const TERMS_MAX = 100
const LIST_MAX = 500
/** The most terms of a condition, with those of the conditions that it names. */
const ALL_TERMS_MAX = 500

/** Words of the language itself; in quotes they are text like any other. */
export const keywords = ['and', 'or', 'not', 'has', 'any', 'no', 'count', 'in'] as const

const ALLOWED: Readonly<Record<FieldType, readonly Comparison[]>> = {
  text: ['=', '!=', ':'],
  number: ['=', '!=', '<', '<=', '>', '>='],
  date: ['=', '!=', '<', '<=', '>', '>='],
  instant: ['=', '!=', '<', '<=', '>', '>='],
  version: ['=', '!=', '<', '<=', '>', '>='],
  bool: ['=', '!='],
  ip: ['=', '!=', ':'],
}

/** The comparisons that a field takes. */
export const comparisonsOf = (field: Field): readonly Comparison[] =>
  field.named ? ['=', '!='] : ALLOWED[field.type]

export interface ParseOptions {
  /** Values for `$name`, as they would be written. */
  readonly parameters?: Readonly<Record<string, string>>
  readonly scanner?: Scanner
}

/**
 * Reads a condition:
 *
 *     or    = and { "or" and }        and  = not { ["and"] not }        not = "not" not | "(" or ")" | term
 *     term  = field op value | field "in" "(" value { "," value } ")" | "has" field | word | "phrase"
 *           | ("any" | "no") collection "(" or ")" | "count" collection "(" or ")" op number
 *
 * Throws `ConditionError`, which names the place and what was expected there.
 */
export function parseCondition(
  text: string,
  vocabulary: Vocabulary,
  { parameters = {}, scanner = new Scanner(text) }: ParseOptions = {},
): Condition {
  if (text.length > LENGTH_MAX) {
    throw scanner.fault(`a condition has at most ${LENGTH_MAX} characters`, LENGTH_MAX)
  }
  const budget = { terms: 0, depth: 0, all: { terms: 0 }, within: [] }
  return readWhole({ scanner, vocabulary, parameters, budget })
}

function readWhole(reading: Reading): Condition {
  const { scanner } = reading
  const condition = readOr(reading)
  scanner.want({ what: 'joint' })
  if (!scanner.isAtEnd) throw scanner.fault('expected "and", "or" or the end')
  return condition
}

function readOr(reading: Reading): Condition {
  const { scanner, budget } = reading
  if (++budget.depth > DEPTH_MAX) throw scanner.fault(`a condition is at most ${DEPTH_MAX} levels deep`)
  const parts = [readAnd(reading)]
  while (scanner.takesKeyword('or')) parts.push(readAnd(reading))
  budget.depth--
  return joined('or', parts)
}

function readAnd(reading: Reading): Condition {
  const { scanner } = reading
  const parts = [readNot(reading)]
  while (scanner.takesKeyword('and') || goesOn(scanner)) parts.push(readNot(reading))
  return joined('and', parts)
}

/** A blank is an "and". */
function goesOn(scanner: Scanner): boolean {
  scanner.want({ what: 'joint' })
  if (scanner.isAtEnd) return false
  const next = scanner.text[scanner.at]
  if (next === '(') return true
  const piece = scanner.peekWord()
  return piece !== undefined && (piece.isQuoted || piece.text.toLowerCase() !== 'or')
}

const joined = (kind: 'and' | 'or', parts: Condition[]): Condition =>
  parts.length === 1 && parts[0]
    ? parts[0]
    : { kind, parts, from: parts[0]?.from ?? 0, to: parts.at(-1)?.to ?? 0 }

function readNot(reading: Reading): Condition {
  const { scanner, vocabulary, budget } = reading
  scanner.want({ what: 'term', vocabulary })
  const from = scanner.at
  if (scanner.takesKeyword('not')) {
    if (++budget.depth > DEPTH_MAX) throw scanner.fault(`a condition is at most ${DEPTH_MAX} levels deep`)
    const part = readNot(reading)
    budget.depth--
    return { kind: 'not', part, from, to: part.to }
  }
  return scanner.takes('(') ? readRest(reading, readOr(reading)) : readTerm(reading, from)
}

function readRest({ scanner }: Reading, condition: Condition): Condition {
  if (!scanner.takes(')')) throw scanner.fault('expected ")"')
  return condition
}

function readTerm(reading: Reading, from: number): Condition {
  const { scanner, budget } = reading
  if (++budget.terms > TERMS_MAX) throw scanner.fault(`a condition has at most ${TERMS_MAX} terms`)
  if (++budget.all.terms > ALL_TERMS_MAX)
    throw scanner.fault(`a condition with those that it names has at most ${ALL_TERMS_MAX} terms`)
  if (scanner.takesKeyword('has')) {
    const field = readField(reading)
    if (field.named)
      throw scanner.fault(`${field.name} takes ${comparisonsOf(field).join(' ')} or "in"`, from)
    return { kind: 'has', field, from, to: scanner.at }
  }
  if (scanner.takesKeyword('any')) return readCollection(reading, 'any', from)
  if (scanner.takesKeyword('no')) return readCollection(reading, 'no', from)
  if (scanner.takesKeyword('count')) return readCount(reading, from)
  const piece = scanner.word()
  if (!piece) throw scanner.fault('expected a field or a word to search for')
  const keyword = piece.isQuoted ? undefined : keywords.find((it) => it === piece.text.toLowerCase())
  if (keyword) throw scanner.fault(`expected a condition; put "${keyword}" in quotes to search for it`, from)
  return readComparison(reading, piece)
}

function readComparison(reading: Reading, piece: Piece): Condition {
  const { scanner, vocabulary } = reading
  const field = piece.isQuoted ? undefined : fieldNamed(vocabulary, piece.text)
  if (field) scanner.want({ what: 'comparison', field })
  const { from } = piece
  if (field && scanner.takesKeyword('in')) return readIn(reading, field, from)
  const place = scanner.at
  const comparison = scanner.comparison()
  if (!comparison) return readWord(reading, piece, field)
  if (!field) throw unknownField(scanner, vocabulary, piece)
  const isAllowed = comparisonsOf(field).find((it) => it === comparison)
  if (!isAllowed) {
    throw scanner.fault(`${field.name} takes ${comparisonsOf(field).join(' ')}, not ${comparison}`, place)
  }
  if (field.named) {
    const named = readNamed(reading, field, field.named)
    return comparison === '=' ? named : { kind: 'not', part: named, from, to: scanner.at }
  }
  const value = readOneValue(reading, field)
  const whole = { from, to: scanner.at }
  if (!isNeutral(field, value)) return { kind: 'compare', field, comparison: isAllowed, value, ...whole }
  const part = orUnknown({ kind: 'compare', field, comparison: '=', value, ...whole }, field)
  return isAllowed === '!=' ? { kind: 'not', part, ...whole } : part
}

function readWord({ scanner, vocabulary }: Reading, piece: Piece, field: Field | undefined): Condition {
  const { text, from, to } = piece
  if (field) {
    const way = `${comparisonsOf(field).join(' ')} or "in"`
    throw scanner.fault(`expected ${way} after ${field.name}; put it in quotes to search for the word`)
  }
  if (!vocabulary.search) throw unknownField(scanner, vocabulary, piece)
  if (text.trim() === '') throw scanner.fault('expected a text between the quotes', from)
  return { kind: 'word', text, from, to }
}

function readIn(reading: Reading, field: Field, from: number): Condition {
  const { scanner } = reading
  const { named } = field
  if (named)
    return joined(
      'or',
      readList(scanner, () => readNamed(reading, field, named)),
    )
  const values = readList(scanner, () => readOneValue(reading, field))
  const part: Condition = { kind: 'in', field, values, from, to: scanner.at }
  return values.some((value) => isNeutral(field, value)) ? orUnknown(part, field) : part
}

const isNeutral = ({ neutral }: Field, value: Value): boolean =>
  neutral !== undefined && value.type === 'text' && value.normalized === neutral

function orUnknown(part: Condition, field: Field): Condition {
  const place = { from: part.from, to: part.to }
  const isUnknown: Condition = { kind: 'not', part: { kind: 'has', field, ...place }, ...place }
  return { kind: 'or', parts: [part, isUnknown], ...place }
}

function readList<T>(scanner: Scanner, read: () => T): T[] {
  if (!scanner.takes('(')) throw scanner.fault('expected "(" after "in"')
  const items = [read()]
  while (scanner.takes(',')) {
    if (items.length === LIST_MAX) throw scanner.fault(`a list has at most ${LIST_MAX} values`)
    items.push(read())
  }
  if (!scanner.takes(')')) throw scanner.fault('expected "," or ")"')
  return items
}

/** A fault of the condition that is named is one of the place where its name stands. */
function readNamed(reading: Reading, field: Field, { all, vocabulary }: NamedConditions): NodeOf<'named'> {
  const { scanner, budget, parameters } = reading
  scanner.want({ what: 'value', field })
  const from = scanner.at
  const piece = scanner.value()
  if (!piece) throw scanner.fault(`expected the name of a ${field.name}`)
  const name = piece.isQuoted ? piece.text : filled(scanner, piece, parameters)
  const sought = normalizeText(name)
  const found =
    all.find((it) => it.normalized === sought) ?? all.find(({ aliases }) => aliases.includes(sought))
  if (!found) throw scanner.fault(`there is no ${field.name} ${JSON.stringify(name)}`, from)
  const { normalized, text } = found
  if (budget.within.includes(normalized)) {
    throw scanner.fault(
      `the condition of the ${field.name} ${JSON.stringify(found.name)} asks about itself`,
      from,
    )
  }
  const of = vocabulary()
  const inner: Budget = { ...budget, terms: 0, within: [...budget.within, normalized] }
  try {
    const part = readWhole({ scanner: new Scanner(text), vocabulary: of, parameters: {}, budget: inner })
    return { kind: 'named', name: found.name, part, vocabulary: of, from, to: scanner.at }
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error
    throw scanner.fault(
      `the condition of the ${field.name} ${JSON.stringify(found.name)}: ${error.fault}`,
      from,
    )
  }
}

function readCollection(reading: Reading, kind: 'any' | 'no', from: number): Condition {
  const { collection, part } = readInside(reading)
  return { kind, collection, part, from, to: reading.scanner.at }
}

function readCount(reading: Reading, from: number): Condition {
  const { scanner } = reading
  const { collection, part } = readInside(reading)
  const place = scanner.at
  const written = scanner.comparison()
  const comparison = ALLOWED.number.find((it) => it === written)
  if (!comparison) throw scanner.fault(`expected ${ALLOWED.number.join(' ')}`, place)
  const piece = scanner.value()
  if (!piece || !/^\d{1,9}$/.test(piece.text)) throw scanner.fault('expected a whole number', piece?.from)
  return { kind: 'count', collection, part, comparison, number: Number(piece.text), from, to: scanner.at }
}

function readInside(reading: Reading): { collection: Collection; part: Condition } {
  const { scanner, vocabulary } = reading
  scanner.want({ what: 'collection', vocabulary })
  const piece = scanner.word()
  const collection = vocabulary.collections.find((it) => it.name === piece?.text.toLowerCase())
  if (!collection) {
    const names = vocabulary.collections.map((it) => it.name).join(', ')
    throw scanner.fault(
      `expected one of: ${names || 'nothing, for there are no collections here'}`,
      piece?.from,
    )
  }
  scanner.want({ what: 'open', collection })
  if (!scanner.takes('(')) throw scanner.fault('expected "("')
  const inner = { fields: collection.fields, collections: [] }
  const part = readRest(reading, readOr({ ...reading, vocabulary: inner }))
  return { collection, part: withUsual(collection, part, inner) }
}

/** What usually holds is added where the condition does not ask about the same field itself. */
function withUsual({ usual }: Collection, part: Condition, vocabulary: Vocabulary): Condition {
  if (usual === undefined) return part
  const added = parseCondition(usual, vocabulary)
  const asked = fieldsIn(part)
  return [...fieldsIn(added)].some((it) => asked.has(it))
    ? part
    : { kind: 'and', parts: [added, part], from: part.from, to: part.to }
}

/** The fields that a condition asks about, without those inside of collections. */
export function fieldsIn(condition: Condition): ReadonlySet<Field> {
  if (condition.kind === 'and' || condition.kind === 'or') {
    return new Set(condition.parts.flatMap((part) => [...fieldsIn(part)]))
  }
  if (condition.kind === 'not' || condition.kind === 'named') return fieldsIn(condition.part)
  return new Set('field' in condition ? [condition.field] : [])
}
