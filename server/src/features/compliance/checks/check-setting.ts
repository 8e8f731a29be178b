import type { Check, Tolerance } from './check.ts'

/** How a check counts for one framework, where that is not as the check itself says. */
export interface CheckSetting {
  readonly framework: string
  readonly checkId: string
  readonly isOff: boolean
  /** Null: that of the check. */
  readonly tolerance: Tolerance | null
}

/** The check without the frameworks that it is switched off for, and with what each of the others tolerates. */
export function withSettings(check: Check, settings: readonly CheckSetting[]): Check {
  const own = settings.filter(({ checkId }) => checkId === check.id)
  if (own.length === 0) return check
  const off = new Set(own.filter(({ isOff }) => isOff).map(({ framework }) => framework))
  return {
    ...check,
    controls: Object.fromEntries(Object.entries(check.controls).filter(([framework]) => !off.has(framework))),
    tolerances: Object.fromEntries(
      own.flatMap(({ framework, tolerance }) => (tolerance === null ? [] : [[framework, tolerance]])),
    ),
  }
}

/** As it counts for a framework. */
export const checkIn = (check: Check, framework: string): Check => ({
  ...check,
  tolerance: check.tolerances?.[framework] ?? check.tolerance,
})
