import { nearest } from '../cli/suggestions.ts'
import type { Value } from './condition.ts'
import type { ConditionError } from './condition-error.ts'
import type { Field, Vocabulary } from './field.ts'
import type { Piece, Scanner } from './tokenizer.ts'
import { expectedValue, readValue } from './value.ts'

/** Fields and values of a condition that is being read. */

export interface Reading {
  readonly scanner: Scanner
  readonly vocabulary: Vocabulary
  readonly parameters: Readonly<Record<string, string>>
  readonly budget: Budget
}

export interface Budget {
  terms: number
  depth: number
  /** With the terms of named conditions. */
  readonly all: { terms: number }
  /** The named conditions that this is part of. */
  readonly within: readonly string[]
}

export function readOneValue({ scanner, parameters }: Reading, field: Field): Value {
  scanner.want({ what: 'value', field })
  const at = scanner.at
  const piece = scanner.value()
  if (!piece) throw scanner.fault(`expected ${wantedOf(field)}`)
  const text = piece.isQuoted ? piece.text : filled(scanner, piece, parameters)
  const value = readValue(field, text)
  if (value) return value
  if (field.type === 'text' && text.trim() === '') {
    throw scanner.fault(`write "not has ${field.name}" for what was not collected`, at)
  }
  throw scanner.fault(`${field.name} takes ${wantedOf(field)}, not ${JSON.stringify(text)}`, at)
}

export function filled(scanner: Scanner, piece: Piece, parameters: Readonly<Record<string, string>>): string {
  if (!piece.text.startsWith('$')) return piece.text
  const name = piece.text.slice(1)
  const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined
  if (value === undefined) throw scanner.fault(`there is no parameter ${piece.text}`, piece.from)
  return value
}

const wantedOf = ({ type, values }: Field): string =>
  type === 'text' && values ? `one of ${values.join(', ')}` : expectedValue[type]

export function readField({ scanner, vocabulary }: Reading): Field {
  scanner.want({ what: 'field', vocabulary })
  const piece = scanner.word()
  if (!piece) throw scanner.fault('expected a field')
  const field = fieldNamed(vocabulary, piece.text)
  if (!field) throw unknownField(scanner, vocabulary, piece)
  return field
}

export function fieldNamed({ fields }: Vocabulary, text: string): Field | undefined {
  const name = text.toLowerCase()
  return fields.find((it) => it.name === name) ?? fields.find((it) => it.aliases?.includes(name))
}

export function unknownField(scanner: Scanner, { fields }: Vocabulary, piece: Piece): ConditionError {
  const near = nearest(
    piece.text.toLowerCase(),
    fields.map((it) => it.name),
  )
  return scanner.fault(`there is no field ${piece.text}${near ? `; did you mean ${near}?` : ''}`, piece.from)
}
