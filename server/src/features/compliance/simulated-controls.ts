import { permit, type Ctx } from '#platform/context.ts'
import { adoptions } from './adoption-store.ts'
import { attestationsInForce } from './attestations/attestation-store.ts'
import { controlOf, keyOf } from './catalogue/catalogue.ts'
import { allChecks, checksOf } from './checks/all-checks.ts'
import { checkIn } from './checks/check-setting.ts'
import type { Check } from './checks/check.ts'
import { outcomeOf } from './evaluation/outcome.ts'
import { exceptedByControl, type ExceptedInControls } from './exceptions/excepted-in-control.ts'
import { exceptedFailures, states, type CheckState } from './evaluation/result-store.ts'
import { statusOf, type CheckOutcome, type ControlStatus } from './evaluation/status.ts'
import { excludedControls } from './statements/statement-store.ts'

/** Which status controls would have if checks counted otherwise; nothing is written. */

const DAY_MS = 86_400_000

/** By how much the counts of a check differ. */
export interface CountChange {
  readonly inScope: number
  readonly failed: number
  readonly unknown: number
  readonly excepted: number
}

export interface SimulatedCheck {
  readonly id: string
  readonly title: string
  readonly before: CheckOutcome
  readonly after: CheckOutcome
}

export interface SimulatedControl {
  readonly framework: string
  readonly controlId: string
  readonly title: string
  readonly before: ControlStatus
  readonly after: ControlStatus
}

/** Checks that an adopted framework asks for. */
export async function checksInForce(ctx: Ctx): Promise<Check[]> {
  permit(ctx, 'compliance:read')
  return checksOf(
    await allChecks(ctx),
    (await adoptions(ctx)).map(({ framework }) => framework),
  )
}

/** `<check> <asset>` of the failures of these assets that are under an exception in force. */
export async function exceptedAmong(ctx: Ctx, assetIds: readonly string[]): Promise<Set<string>> {
  permit(ctx, 'compliance:read')
  return new Set((await exceptedFailures(ctx, assetIds)).map((it) => `${it.checkId} ${it.assetId}`))
}

/** All checks of adopted frameworks, and all controls that these judge, in the order of the frameworks. */
export async function simulateControls(
  ctx: Ctx,
  changes: ReadonlyMap<string, CountChange>,
  more: ExceptedMore = new Map(),
): Promise<{ readonly checks: SimulatedCheck[]; readonly controls: SimulatedControl[] }> {
  const [checks, found] = [await checksInForce(ctx), await states(ctx)]
  const known = new Map(found.map((it) => [it.checkId, it]))
  const now = ctx.now()
  const simulated = new Map(
    checks.map((check) => {
      const state = known.get(check.id)
      const before = outcomeOf(check, state, now)
      const after = outcomeOf(check, changed(state, changes.get(check.id)), now)
      return [check.id, { id: check.id, title: check.title, before, after }]
    }),
  )
  return { checks: [...simulated.values()], controls: await controlsOf(ctx, { checks, simulated }, more) }
}

/** In these controls, by check, how many failures more are excepted, in place of what the changes of checks say. */
export type ExceptedMore = ExceptedInControls

interface Simulated {
  readonly checks: readonly Check[]
  readonly simulated: ReadonlyMap<string, SimulatedCheck>
}

async function controlsOf(
  ctx: Ctx,
  { checks, simulated }: Simulated,
  more: ExceptedMore,
): Promise<SimulatedControl[]> {
  const excepted = await exceptedByControl(ctx)
  const excluded = new Set((await excludedControls(ctx)).map((it) => keyOf(it.framework, it.controlId)))
  const attested = new Map(
    (await attestationsInForce(ctx)).map((it) => [keyOf(it.framework, it.controlId), it.validUntil]),
  )
  return (await adoptions(ctx)).flatMap(({ framework }) => {
    const ids = new Set(checks.flatMap(({ controls }) => controls[framework] ?? []))
    return [...ids].sort(byNumber).map((controlId): SimulatedControl => {
      const key = keyOf(framework, controlId)
      const own = checks.flatMap(({ id, controls }) =>
        controls[framework]?.includes(controlId) ? (simulated.get(id) ?? []) : [],
      )
      const tolerances = new Map(checks.map((check) => [check.id, checkIn(check, framework).tolerance]))
      const here = excepted.get(key)
      const added = more.get(key)
      const inControl = ({ id, before, after }: SimulatedCheck, side: 'before' | 'after'): CheckOutcome => {
        const outcome = side === 'before' ? before : after
        const now = here?.get(id) ?? before.excepted
        const then = now + (added ? (added.get(id) ?? 0) : after.excepted - before.excepted)
        return {
          ...outcome,
          excepted: Math.min(side === 'before' ? now : then, outcome.failed),
          tolerance: tolerances.get(id) ?? outcome.tolerance,
        }
      }
      const until = attested.get(key)
      const about = {
        isNotApplicable: excluded.has(key),
        attestationDaysLeft: until === undefined ? 0 : (Date.parse(until) - ctx.now().getTime()) / DAY_MS,
      }
      return {
        framework,
        controlId,
        title: controlOf(framework, controlId)?.title ?? controlId,
        before: statusOf({ checks: own.map((it) => inControl(it, 'before')), ...about }),
        after: statusOf({ checks: own.map((it) => inControl(it, 'after')), ...about }),
      }
    })
  })
}

/** Counts never fall below zero: the last round may be older than the change. */
function changed(state: CheckState | undefined, by: CountChange | undefined): CheckState | undefined {
  if (!state || !by) return state
  const sum = (name: keyof CountChange) => Math.max(0, state[name] + by[name])
  const [inScope, failed, unknown] = [sum('inScope'), sum('failed'), sum('unknown')]
  const ok = Math.max(0, inScope - failed - unknown)
  return { ...state, inScope, ok, failed, unknown, excepted: Math.min(failed, sum('excepted')) }
}

/** `1.9` before `1.10`, on every machine alike. */
function byNumber(a: string, b: string): number {
  const padded = (id: string) => id.replaceAll(/\d+/g, (digits) => digits.padStart(6, '0'))
  const [one, other] = [padded(a), padded(b)]
  return one < other ? -1 : one > other ? 1 : 0
}
