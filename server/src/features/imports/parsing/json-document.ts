import { invalid } from '#platform/errors.ts'
import { JsonFault } from '#platform/formats/json-stream-parser.ts'
import { jsonItems } from '#platform/formats/json-items.ts'
import type { Content } from '../documents/document.ts'

export type Fields = Readonly<Record<string, unknown>>

/** Bytes of one entry. */
const ITEM_BYTES_MAX = 8_388_608
/** Brackets within brackets. Components are read 32 deep; what is deeper is no reason to refuse the file. */
const DEPTH_MAX = 20_000

/** Of the one object that a JSON file holds: its keys, and the values of the wanted ones. */
export async function topOf(
  content: Content,
  wanted: readonly string[],
): Promise<{ readonly keys: ReadonlySet<string>; readonly fields: Fields }> {
  const keys = new Set<string>()
  const wants = (key: string): boolean => {
    if (keys.size < KEYS_MAX) keys.add(key)
    return wanted.includes(key)
  }
  const fields: Record<string, unknown> = {}
  for await (const { key, value } of sound(
    jsonItems(content(), [], { itemBytes: ITEM_BYTES_MAX, depth: DEPTH_MAX, wants }),
  )) {
    if (key === undefined) throw invalid('file', 'is JSON, but no object')
    fields[key] = value
  }
  return { keys, fields }
}

const KEYS_MAX = 1_000

/** The items of a list at the top of a JSON file, one at a time, with their place from 0. */
export async function* itemsOf(
  content: Content,
  key: string,
): AsyncIterable<{ readonly index: number; readonly value: unknown }> {
  for await (const item of sound(
    jsonItems(content(), [key], { itemBytes: ITEM_BYTES_MAX, depth: DEPTH_MAX }),
  ))
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
