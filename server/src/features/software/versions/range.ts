import type { Sign } from './version-parts.ts'
import { compareToBound, type Scheme } from './compare.ts'

/** From `introduced` (absent: no lower bound) up to `fixed`, exclusive, or `lastAffected`, inclusive. */
export interface Bounds {
  readonly introduced?: string
  /** `introduced` itself is not in the range. */
  readonly isAfterIntroduced?: true
  readonly fixed?: string
  readonly lastAffected?: string
}

/** Undefined where the version cannot be compared with a bound; `0` as `introduced` is below every version. */
export function isInRange(scheme: Scheme, version: string, bounds: Bounds): boolean | undefined {
  const { introduced, isAfterIntroduced, fixed, lastAffected } = bounds
  const tests: (boolean | undefined)[] = []
  if (introduced !== undefined && introduced !== '0') {
    tests.push(holds(isAfterIntroduced ? '>' : '>=', compareToBound(scheme, version, introduced)))
  }
  if (fixed !== undefined) tests.push(holds('<', compareToBound(scheme, version, fixed)))
  if (lastAffected !== undefined) tests.push(holds('<=', compareToBound(scheme, version, lastAffected)))
  return allOf(tests)
}

/**
 * Whether a version satisfies a constraint such as `> 1.0, < 2.0 || = 3.1`; an empty constraint is always satisfied.
 * Undefined where a deciding comparison is undefined, or the constraint is invalid.
 */
export function satisfies(scheme: Scheme, version: string, constraint: string): boolean | undefined {
  if (constraint.trim() === '') return true
  const choices = constraint.split('||').map((choice) =>
    allOf(
      choice.split(',').map((part) => {
        const [, operator = '', bound = ''] = PART.exec(part) ?? []
        return holds(operator, compareToBound(scheme, version, bound))
      }),
    ),
  )
  if (choices.includes(true)) return true
  return choices.includes(undefined) ? undefined : false
}

const PART = /^\s*(<=|>=|==|!=|<|>|=)?\s*\\?['"]?([^\s'"\\<>=!|,]+)\\?['"]?\s*$/

function allOf(tests: readonly (boolean | undefined)[]): boolean | undefined {
  if (tests.includes(false)) return false
  return tests.includes(undefined) ? undefined : true
}

function holds(operator: string, found: Sign | undefined): boolean | undefined {
  if (found === undefined) return undefined
  switch (operator) {
    case '<':
      return found < 0
    case '<=':
      return found <= 0
    case '>':
      return found > 0
    case '>=':
      return found >= 0
    case '!=':
      return found !== 0
    default:
      return found === 0
  }
}
