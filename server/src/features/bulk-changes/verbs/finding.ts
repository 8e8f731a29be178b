import {
  checkDecision,
  endOverrides,
  overrideFindings,
  reopenFindings,
  resumeOverrides,
  type ChangedOverrides,
} from '#features/vulnerabilities/vulnerabilities.ts'
import type { BulkVerb, Previous } from './verb.ts'

const REOPENED = 'reopened'

const deciding = (
  name: 'accept_risk' | 'mark_false_positive',
  kind: 'accepted_risk' | 'false_positive',
): BulkVerb => ({
  name,
  subject: 'finding',
  permission: 'overrides:write',
  check(ctx, { reason = '', expiresAt }) {
    checkDecision(ctx, { reason, expiresAt })
    return Promise.resolve({ reason, ...(expiresAt !== undefined && { expiresAt }) })
  },
  apply: (ctx, { reason = '', expiresAt }, ids) => overrideFindings(ctx, ids, { kind, reason, expiresAt }),
  restore: (ctx, _, previous) => endOverrides(ctx, overridesIn(previous)),
})

/** Open findings; the others are left as they are. */
export const acceptRisk = deciding('accept_risk', 'accepted_risk')
export const markFalsePositive = deciding('mark_false_positive', 'false_positive')

/** Findings that an override about them alone has closed. */
export const reopen: BulkVerb = {
  name: 'reopen',
  subject: 'finding',
  permission: 'overrides:write',
  check(ctx, { reason = REOPENED }) {
    checkDecision(ctx, { reason })
    return Promise.resolve({ reason })
  },
  apply: (ctx, { reason = REOPENED }, ids) => reopenFindings(ctx, ids, reason),
  restore: (ctx, _, previous) => resumeOverrides(ctx, overridesIn(previous)),
}

const overridesIn = (previous: Previous): string[] =>
  [...(previous as ReadonlyMap<string, ChangedOverrides>).values()].flatMap(({ overrideIds }) => overrideIds)
