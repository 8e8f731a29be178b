import { invalid } from '#platform/errors.ts'
import { JsonFault } from '#platform/formats/json-stream-parser.ts'
import { jsonItems } from '#platform/formats/json-items.ts'
import type { Content } from '../documents/document.ts'

export type Fields = Readonly<Record<string, unknown>>

/** Bytes of one entry. */
const ITEM_BYTES_MAX = 8_388_608
/** Values of one entry, at any depth. */
export const ITEM_VALUES_MAX = 250_000
/** Brackets within brackets. Components are read 32 deep; what is deeper is no reason to refuse the file. */
const DEPTH_MAX = 20_000

/** Of the one object that a JSON file holds: its keys, and the values of the wanted ones. */
export async function topOf(
  content: Content,
  wanted: readonly string[],
): Promise<{ readonly keys: ReadonlySet<string>; readonly fields: Fields }> {
  const keys = new Set<string>()
  const wants = (key: string): boolean => {
    keys.add(key)
    if (keys.size > KEYS_MAX) throw invalid('file', `has more than ${KEYS_MAX} keys in its outermost object`)
    return wanted.includes(key)
  }
  const fields: Record<string, unknown> = {}
  for await (const { key, value } of sound(jsonItems(content(), [], { ...LIMITS, wants }))) {
    if (key === undefined) throw invalid('file', 'is JSON, but no object')
    fields[key] = value
  }
  return { keys, fields }
}

const LIMITS = { itemBytes: ITEM_BYTES_MAX, depth: DEPTH_MAX, values: ITEM_VALUES_MAX } as const
/** Of the outermost object. */
export const KEYS_MAX = 1_000

/** The items of a list at the top of a JSON file, one at a time, with their place from 0. */
export async function* itemsOf(
  content: Content,
  key: string,
): AsyncIterable<{ readonly index: number; readonly value: unknown }> {
  for await (const item of sound(jsonItems(content(), [key], LIMITS)))
    yield { index: item.number - 1, value: item.value }
}

async function* sound<T>(items: AsyncIterable<T>): AsyncIterable<T> {
  try {
    yield* items
  } catch (error) {
    throw error instanceof JsonFault ? invalid('file', `is not well-formed JSON: ${error.message}`) : error
  }
}

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const objectAt = (from: Fields, key: string): Fields => {
  const value = from[key]
  return isObject(value) ? value : {}
}

export const listAt = (from: Fields, key: string): readonly unknown[] => {
  const value = from[key]
  return Array.isArray(value) ? value : []
}

export const textAt = (from: Fields, key: string): string | undefined => {
  const value = from[key]
  return typeof value === 'string' && value !== '' ? value : undefined
}
