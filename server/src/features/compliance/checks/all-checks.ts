import type { Ctx } from '#platform/context.ts'
import type { Check } from './check.ts'
import * as store from './check-store.ts'
import { shippedChecks } from './shipped-checks.ts'

/** Those that come with the product, then the organisation's own. */
export const allChecks = async (ctx: Ctx): Promise<Check[]> => [
  ...shippedChecks,
  ...(await store.ownChecks(ctx)),
]

/** Those that a control of one of the frameworks asks for. */
export const checksOf = (checks: readonly Check[], frameworks: readonly string[]): Check[] =>
  checks.filter(({ controls }) => frameworks.some((slug) => (controls[slug] ?? []).length > 0))
