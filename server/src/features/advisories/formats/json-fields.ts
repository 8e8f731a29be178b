import { FeedError } from '../feeds/feed-error.ts'

/** An object of unknown fields. */
export type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Lenient readers: missing, null and wrongly typed fields are read as empty. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const allFields = (value: unknown): readonly Fields[] => listOf(value).filter(isFields)
export const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')
export const texts = (value: unknown): readonly string[] =>
  listOf(value)
    .map((it) => textOf(it))
    .filter(Boolean)

export function finiteNumberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** Throws a FeedError when the value is not an object. */
export function requireObject(value: unknown, number: number): Fields {
  if (isFields(value)) return value
  throw new FeedError(`record ${number} is not an object`)
}

/** A required text. Throws a FeedError when it is missing or too long; `subject` names the record. */
export function requireText(value: unknown, field: string, subject: string): string {
  const text = textOf(value)
  if (text === '' || text.length > ID_LENGTH_MAX) throw new FeedError(`${subject} has no ${field}`)
  return text
}
const ID_LENGTH_MAX = 500

const CVE_ID = /^CVE-\d{4}-\d{4,19}$/
export const isCveId = (text: string): boolean => CVE_ID.test(text)

/** `[]` for undefined or an empty string, for use with spread. */
export const optional = <T>(value: T | undefined | ''): readonly T[] => (value ? [value] : [])

/** An instant, in UTC unless a zone is given (NVD gives none). Undefined when invalid. */
export function instantOf(value: unknown): Date | undefined {
  const text = textOf(value)
  if (!/^\d{4}-\d\d-\d\d/.test(text)) return undefined
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text.slice(10))
  const instant = new Date(hasZone || text.length === 10 ? text : `${text}Z`)
  return Number.isNaN(instant.getTime()) ? undefined : instant
}

/** `publishedAt` and `modifiedAt` where known. */
export function datesOf(published: unknown, modified: unknown): { publishedAt?: Date; modifiedAt?: Date } {
  const [publishedAt, modifiedAt] = [instantOf(published), instantOf(modified)]
  return { ...(publishedAt && { publishedAt }), ...(modifiedAt && { modifiedAt }) }
}

/** `YYYY-MM-DD`, or undefined. */
export function dayOf(value: unknown): string | undefined {
  const text = textOf(value).slice(0, 10)
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(text) : undefined
  // February 30 is read as March 2, but no day that the database takes
  return at && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) ? text : undefined
}
