import type { Json } from '#features/assets/observation.ts'

/** The intake takes 64 KiB of facts of one thing. */
const LENGTH_MAX = 56 * 1_024
const NOTES_MAX = 50

export interface Told {
  /** Short ones. */
  readonly facts: Readonly<Record<string, Json>>
  /** Lists, the most telling first: where they are too long together, the last ones are shortened. */
  readonly lists: Readonly<Record<string, readonly Json[]>>
  /** What could not be read, and why. */
  readonly notes: readonly string[]
}

/** As much as the intake takes; what is left out is said in `notes`. Nothing is told of what is empty. */
export function fittingFacts({ facts, lists, notes }: Told): Record<string, Json> {
  const kept: Record<string, Json> = {}
  for (const [name, value] of Object.entries(facts)) if (!isEmpty(value)) kept[name] = value
  const said = [...notes]
  let left = LENGTH_MAX - JSON.stringify([kept, said]).length
  for (const [name, list] of Object.entries(lists)) {
    const over = list.findIndex((it) => (left -= JSON.stringify(it).length + 1) < 0)
    const fitting = over < 0 ? list : list.slice(0, over)
    if (fitting.length > 0) kept[name] = fitting
    if (over >= 0) said.push(`${name}: ${fitting.length} of ${list.length} kept`)
  }
  return said.length === 0 ? kept : { ...kept, notes: said.slice(0, NOTES_MAX) }
}

const isEmpty = (value: Json): boolean =>
  value === '' || value === null || (Array.isArray(value) && value.length === 0)
