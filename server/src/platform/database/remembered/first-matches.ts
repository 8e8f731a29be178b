import type { Match } from '../db.ts'

/**
 * The first of the matches in the order of a list: by `place`, the greatest first, and the greatest id among equals.
 * Beside a set that is brought up to date, they say which are on a page without looking at the others.
 */
export interface FirstMatches {
  /** In order; all that come before any that is not here. */
  readonly matches: readonly Match[]
  /** Others come behind this one; undefined: there are no others. */
  readonly last: Match | undefined
}

/** So many are read at once. */
export const FIRST_COUNT = 1_000
/** With fewer they are read again. */
const TOO_FEW = 500
const MOST = 2 * FIRST_COUNT

/** Of those that were read in order, at most `FIRST_COUNT`. */
export const firstMatches = (matches: readonly Match[]): FirstMatches => ({
  matches,
  last: matches.length < FIRST_COUNT ? undefined : matches.at(-1),
})

/** When `now` are all matches of the subjects that were asked about. */
export function withChanged(
  { matches, last }: FirstMatches,
  asked: readonly string[],
  now: readonly Match[],
): FirstMatches {
  const changed = new Set(asked)
  const others = matches.filter(({ subject }) => !changed.has(subject))
  const came = now.filter((it) => last === undefined || byPlace(it, last) <= 0)
  if (others.length === matches.length && came.length === 0) return { matches, last }
  const sorted = [...others, ...came].sort(byPlace)
  return sorted.length <= MOST ? { matches: sorted, last } : firstMatches(sorted.slice(0, FIRST_COUNT))
}

export const areTooFew = ({ matches, last }: FirstMatches): boolean =>
  last !== undefined && matches.length < TOO_FEW

/** The ids of a page; undefined where it reaches beyond what is here. */
export const idsOfPage = (
  { matches, last }: FirstMatches,
  offset: number,
  limit: number,
): readonly string[] | undefined =>
  last === undefined || offset + limit <= matches.length
    ? matches.slice(offset, offset + limit).map(({ id }) => id)
    : undefined

const byPlace = (a: Match, b: Match): number => b.place - a.place || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)
