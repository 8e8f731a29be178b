import type { Json } from '#features/assets/observation.ts'
import { cleanText } from '../messages/message.ts'

/** Fields of a section. What an agent sends is read leniently: a field of another form is as if it were absent. */
export type Fields = Readonly<Record<string, unknown>>

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

export const rowsOf = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? (value as unknown[]).map(fieldsOf) : []

/** One line; undefined when absent or empty. */
export function textOf(fields: Fields, name: string): string | undefined {
  const value = fields[name]
  const text = typeof value === 'string' ? cleanText(value) : ''
  return text === '' ? undefined : text
}

export const textsOf = (fields: Fields, name: string): string[] =>
  Array.isArray(fields[name])
    ? (fields[name] as unknown[]).flatMap((it) => (typeof it === 'string' ? [cleanText(it)] : []))
    : []

/** Texts, numbers and truth values among `names`, as a fact. */
export function picked(fields: Fields, names: readonly string[]): Record<string, Json> {
  const pairs = names.flatMap((name): [string, Json][] => {
    const value = fields[name]
    if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)))
      return [[name, value]]
    const text = textOf(fields, name)
    return text === undefined ? [] : [[name, text]]
  })
  return Object.fromEntries(pairs)
}
