import { readFileSync } from 'node:fs'
import type { Row } from '#platform/conditions/field.ts'
import type { Check, CheckSeverity } from './check.ts'

/** A check that comes with the product. */
interface ShippedCheck {
  readonly id: string
  readonly title: string
  readonly scope?: string
  readonly condition: string
  readonly freshness?: string
  readonly severity: CheckSeverity
  readonly next: string
  readonly controls: Readonly<Record<string, readonly string[]>>
  readonly tolerance?: string
  readonly revision?: number
  /** Assets in scope as conditions read them. Without `unknown` the condition is never unknown, as with `has`. */
  readonly examples: { readonly ok: Row; readonly fail: Row; readonly unknown?: Row }
}

const shipped = JSON.parse(
  readFileSync(new URL('shipped-checks.json', import.meta.url), 'utf8'),
) as readonly ShippedCheck[]

export const shippedChecks: readonly Check[] = shipped.map(
  ({ examples: _examples, scope = '', freshness = '', tolerance = '0', revision = 1, ...check }): Check => ({
    ...check,
    scope,
    freshness,
    tolerance,
    revision,
    isOwn: false,
  }),
)

/** What each check must answer, by its id. */
export const examples = new Map(shipped.map(({ id, examples }) => [id, examples]))
