import type { Rule, VersionRange } from '#features/advisories/advisory.ts'

/** Whether a rule affects a version, and which version fixes it. */

/** Negative, zero or positive; undefined when one of the two is not a version of this scheme. */
export type Compare = (a: string, b: string) => number | undefined

export interface Affected {
  /** The range that contains the version; absent when the version is listed, or every version is affected. */
  readonly range?: VersionRange
  readonly isEvery: boolean
}

/** Undefined: not affected, or the versions cannot be compared. */
export function affectedBy(
  rule: Pick<Rule, 'ranges' | 'versions'>,
  version: string,
  compare: Compare,
): Affected | undefined {
  if (rule.ranges.length === 0 && rule.versions.length === 0) return { isEvery: true }
  if (version === '') return undefined
  const isListed = rule.versions.some((it) => it === version || compare(it, version) === 0)
  const range = rule.ranges.find((it) => holds(it, version, compare))
  if (range) return { range, isEvery: isUnbounded(range) }
  return isListed ? { isEvery: false } : undefined
}

const isUnbounded = ({ introduced, fixed, lastAffected }: VersionRange): boolean =>
  isStart(introduced) && fixed === undefined && lastAffected === undefined

/** OSV writes `0` for "from the first version". */
const isStart = (introduced: string | undefined): boolean =>
  introduced === undefined || introduced === '0' || introduced === ''

function holds(range: VersionRange, version: string, compare: Compare): boolean {
  const { introduced, isAfterIntroduced, fixed, lastAffected } = range
  if (introduced !== undefined && !isStart(introduced)) {
    const order = compare(version, introduced)
    if (order === undefined || order < 0 || (order === 0 && isAfterIntroduced)) return false
  }
  if (fixed !== undefined) {
    const order = compare(version, fixed)
    if (order === undefined || order >= 0) return false
  }
  if (lastAffected !== undefined) {
    const order = compare(version, lastAffected)
    if (order === undefined || order > 0) return false
  }
  return true
}

/**
 * The lowest fixed version: the end of the range that contains the installed version, else the lowest end above it.
 * Empty: none known.
 */
export function fixedVersionOf(
  rule: Pick<Rule, 'ranges'>,
  { range }: Affected,
  version: string,
  compare: Compare,
): string {
  if (range) return range.fixed ?? ''
  const above = rule.ranges.flatMap(({ fixed }) =>
    fixed !== undefined && (compare(fixed, version) ?? 0) > 0 ? [fixed] : [],
  )
  return above.toSorted((a, b) => compare(a, b) ?? 0)[0] ?? ''
}

/** A rule as text: `from 1.2 before 1.4.1; 2.0`. */
export function formatRule({ ranges, versions }: Pick<Rule, 'ranges' | 'versions'>): string {
  if (ranges.length === 0 && versions.length === 0) return 'every version'
  const parts = ranges.map(({ introduced, isAfterIntroduced, fixed, lastAffected }) =>
    [
      ...(isStart(introduced) ? [] : [`${isAfterIntroduced ? 'after' : 'from'} ${introduced}`]),
      ...(fixed === undefined ? [] : [`before ${fixed}`]),
      ...(lastAffected === undefined ? [] : [`up to ${lastAffected}`]),
    ].join(' '),
  )
  const listed = versions.length > WORDS_MAX ? [...versions.slice(0, WORDS_MAX), '…'] : versions
  return [...parts.map((it) => it || 'every version'), ...listed].join('; ')
}
const WORDS_MAX = 8
