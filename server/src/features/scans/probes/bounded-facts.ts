import type { Json } from '#features/assets/observation.ts'

/** Length of facts as JSON, in characters. An observation may carry 64 KiB; the rest is left for the names of the lists. */
const LENGTH_MAX = 56 * 1_024
const NOTES_MAX = 50
const TRUNCATED_LENGTH_MAX = 48 * 1_024
const TEXT_LENGTH_MAX = 500
const LIST_LENGTH_MAX = 200

export interface FactsToBound {
  /** Short values, never cut. */
  readonly facts: Readonly<Record<string, Json>>
  /** The most important list first: where all are too long together, the last ones are shortened. */
  readonly lists: Readonly<Record<string, readonly Json[]>>
  /** What could not be read, and why. */
  readonly notes: readonly string[]
}

/** The facts and lists that fit into one observation, without empty values; `notes` says what was left out. */
export function boundedFacts({ facts, lists, notes }: FactsToBound): Record<string, Json> {
  const bounded: Record<string, Json> = {}
  for (const [name, value] of Object.entries(facts)) if (!isEmpty(value)) bounded[name] = value
  const allNotes = [...notes]
  let left = LENGTH_MAX - JSON.stringify([bounded, allNotes]).length
  for (const [name, list] of Object.entries(lists)) {
    const { items, length } = listWithin(list, left)
    left -= length
    if (items.length > 0) bounded[name] = items
    if (items.length < list.length) allNotes.push(`${name}: ${items.length} of ${list.length} kept`)
  }
  return allNotes.length === 0 ? bounded : { ...bounded, notes: allNotes.slice(0, NOTES_MAX) }
}

/**
 * The first items of a list whose JSON, with a comma each, takes at most `lengthMax` characters. `length` counts these and
 * the first item that was left out, so that a sum over several lists ends at the first that is too long.
 */
export function listWithin(
  list: readonly Json[],
  lengthMax: number,
): { readonly items: Json[]; readonly length: number } {
  let length = 0
  for (const [at, item] of list.entries()) {
    length += JSON.stringify(item).length + 1
    if (length > lengthMax) return { items: list.slice(0, at), length }
  }
  return { items: [...list], length }
}

const isEmpty = (value: Json): boolean =>
  value === '' || value === null || (Array.isArray(value) && value.length === 0)

/**
 * The facts of one object of a virtualization platform, at most 48 KiB as JSON. Strings, lists and records are cut one by
 * one; empty values are left out. The first fact that no longer fits ends the record, which then carries `cut: true`.
 */
export function truncatedFacts(facts: Readonly<Record<string, Json | undefined>>): Record<string, Json> {
  const truncated: Record<string, Json> = {}
  let length = 0
  for (const [name, value] of Object.entries(facts)) {
    const short = value === undefined ? undefined : trimmed(value)
    if (short === undefined || isEmptyValue(short)) continue
    length += name.length + JSON.stringify(short).length + 4
    if (length > TRUNCATED_LENGTH_MAX) return { ...truncated, cut: true }
    truncated[name] = short
  }
  return truncated
}

const isEmptyValue = (value: Json): boolean =>
  value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)

function trimmed(value: Json): Json | undefined {
  if (typeof value === 'string') return cleanText(value, TEXT_LENGTH_MAX)
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value))
    return (value as Json[]).slice(0, LIST_LENGTH_MAX).flatMap((each) => trimmed(each) ?? [])
  const entries = Object.entries(value).slice(0, LIST_LENGTH_MAX)
  return Object.fromEntries(
    entries.flatMap(([name, each]) => {
      const short = trimmed(each as Json)
      return short === undefined || isEmptyValue(short) ? [] : [[cleanText(name, TEXT_LENGTH_MAX), short]]
    }),
  )
}

/**
 * At most `lengthMax` UTF-16 units of a text, in a form that PostgreSQL stores: control characters other than tab and line
 * feed become blanks, and no surrogate stands alone.
 */
export const cleanText = (text: string, lengthMax: number): string =>
  text
    .slice(0, lengthMax)
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, ' ')
    .trim()
