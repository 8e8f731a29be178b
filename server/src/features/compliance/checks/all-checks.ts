import type { Ctx } from '#platform/context.ts'
import { withSettings } from './check-setting.ts'
import type { Check } from './check.ts'
import * as store from './check-store.ts'
import { shippedChecks } from './shipped-checks.ts'

/** Those that come with the product, then the organisation's own; each counts for the frameworks that it is on for. */
export async function allChecks(ctx: Ctx): Promise<Check[]> {
  const { own, settings } = await store.checksAndSettings(ctx)
  return [...shippedChecks, ...own].map((check) => withSettings(check, settings))
}

/** Those that a control of one of the frameworks asks for. */
export const checksOf = (checks: readonly Check[], frameworks: readonly string[]): Check[] =>
  checks.filter(({ controls }) => frameworks.some((slug) => (controls[slug] ?? []).length > 0))
