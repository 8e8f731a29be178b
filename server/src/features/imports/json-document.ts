import { invalid } from '#platform/errors.ts'

export type Fields = Readonly<Record<string, unknown>>

/** The one object that a JSON file holds. */
export function objectIn(text: string): Fields {
  const value = parsed(text)
  if (!isObject(value)) throw invalid('file', 'is JSON, but no object')
  return value
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw invalid(
      'file',
      `is not well-formed JSON: ${error instanceof Error ? error.message.slice(0, 100) : ''}`,
    )
  }
}
