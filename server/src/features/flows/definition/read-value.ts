import { invalid } from '#platform/errors.ts'

/** Values of a definition as somebody wrote it. Each throws `invalid`, which names the place. */

export type Given = Readonly<Record<string, unknown>>

export function objectAt(path: string, given: unknown): Given {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalid(path, 'must be an object')
  return given as Given
}

export function textAt(path: string, given: unknown): string {
  if (typeof given !== 'string' || given.trim() === '') throw invalid(path, 'must be a text')
  return given.trim()
}

export function wholeNumber(path: string, given: unknown, least: number, most: number): number {
  if (typeof given !== 'number' || !Number.isInteger(given) || given < least || given > most)
    throw invalid(path, `must be a whole number from ${least} to ${most}`)
  return given
}

export function oneOf<T extends string>(path: string, given: unknown, values: readonly T[]): T {
  const found = values.find((value) => value === given)
  if (found === undefined) throw invalid(path, `must be one of ${values.join(', ')}`)
  return found
}

export function onlyKnown(path: string, source: Given, known: readonly string[]): void {
  const stranger = Object.keys(source).find((name) => !known.includes(name))
  if (stranger !== undefined) throw invalid(`${path}.${stranger}`, `is none of ${known.join(', ')}`)
}
