import type { Match } from '../db.ts'

/**
 * The first of the matches in the order of a list: by `place`, the greatest first, and the greatest id among equals.
 * Beside a set that is brought up to date, they say which are on a page without looking at the others.
 */
export interface FirstMatches {
  /** In the order of lists, without a gap: a match that is not here comes behind all of these. */
  readonly matches: readonly Match[]
  /** The last match that was read, where others come behind it; undefined where there are no others. */
  readonly last: Match | undefined
}

/** How many are read at once. */
export const FIRST_COUNT = 1_000
/** Where fewer are left, they are read again. */
const TOO_FEW = 500
const MOST = 2 * FIRST_COUNT

/** `matches` were read in the order of lists, at most `FIRST_COUNT`. */
export const firstMatches = (matches: readonly Match[]): FirstMatches => ({
  matches,
  last: matches.length < FIRST_COUNT ? undefined : matches.at(-1),
})

/** Replaces the matches of the subjects `asked` by `now`, which are all that these have. */
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

/** The ids of a page; undefined where the page reaches beyond the first matches. */
export const idsOfPage = (
  { matches, last }: FirstMatches,
  offset: number,
  limit: number,
): readonly string[] | undefined =>
  last === undefined || offset + limit <= matches.length
    ? matches.slice(offset, offset + limit).map(({ id }) => id)
    : undefined

const byPlace = (a: Match, b: Match): number => b.place - a.place || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)
