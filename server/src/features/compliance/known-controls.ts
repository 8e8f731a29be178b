import type { Ctx } from '#platform/context.ts'
import { attestationsInForce, type Attestation } from './attestations/attestation-store.ts'
import { keyOf, type Control } from './catalogue/catalogue.ts'
import { allChecks, checksOf } from './checks/all-checks.ts'
import { checkIn } from './checks/check-setting.ts'
import type { Check } from './checks/check.ts'
import { controlStates, type ControlState } from './evaluation/control-store.ts'
import { outcomeOf, whyOf } from './evaluation/outcome.ts'
import { states, type CheckState } from './evaluation/result-store.ts'
import type { ControlStatus } from './evaluation/status.ts'
import {
  exceptedByControl,
  stateInControl,
  type ExceptedInControls,
} from './exceptions/excepted-in-control.ts'
import { judgedCheck, type JudgedCheck } from './judged-check.ts'
import { excludedControls } from './statements/statement-store.ts'

/** Controls and checks with what is known of them. */

export interface ControlSummary extends Control {
  /** Null: a heading. */
  readonly status: ControlStatus | null
  /** Null: never judged. */
  readonly since: string | null
  /** How many checks judge it. */
  readonly checks: number
  readonly why: readonly string[]
}

/** What is known of one framework. */
export interface Known {
  readonly now: Date
  readonly checks: readonly Check[]
  readonly excepted: ExceptedInControls
  readonly states: ReadonlyMap<string, CheckState>
  /** Of the framework, by id. */
  readonly controls: ReadonlyMap<string, ControlState>
  readonly attestations: ReadonlyMap<string, Attestation>
  /** By its approved statement of applicability. */
  readonly excluded: ReadonlyMap<string, unknown>
}

/** What is known of all frameworks, adopted or not. */
export interface KnownOfAll extends Pick<Known, 'now' | 'excepted' | 'states'> {
  readonly checks: readonly Check[]
  readonly controls: readonly ControlState[]
  readonly excluded: readonly OfControl[]
  readonly attestations: readonly Attestation[]
}

interface OfControl {
  readonly framework: string
  readonly controlId: string
}

export const readAll = async (ctx: Ctx): Promise<KnownOfAll> => ({
  now: ctx.now(),
  checks: await allChecks(ctx),
  states: new Map((await states(ctx)).map((it) => [it.checkId, it])),
  excepted: await exceptedByControl(ctx),
  controls: await controlStates(ctx),
  excluded: await excludedControls(ctx),
  attestations: await attestationsInForce(ctx),
})

/** Of that what is about one framework; in one that is not adopted controls have no status. */
export function knownOf(all: KnownOfAll, slug: string): Known {
  const ofFramework = <T extends OfControl>(of: readonly T[]) =>
    new Map(of.filter((it) => it.framework === slug).map((it) => [it.controlId, it]))
  return {
    ...all,
    checks: checksOf(all.checks, [slug]).map((check) => checkIn(check, slug)),
    controls: ofFramework(all.controls),
    excluded: ofFramework(all.excluded),
    attestations: ofFramework(all.attestations),
  }
}

export function summaryOf(control: Control, known: Known): ControlSummary {
  const { id, framework, isHeading } = control
  const checks = known.checks.filter((it) => it.controls[framework]?.includes(id))
  const state = known.controls.get(id)
  const status = state?.status ?? 'not_assessed'
  const here = known.excepted.get(keyOf(framework, id))
  const outcomes = checks.map((check) =>
    outcomeOf(check, stateInControl(known.states.get(check.id), here), known.now),
  )
  const why = isHeading ? [] : whyOf({ status, checks, outcomes, ...aboutOf(id, known) })
  return {
    ...control,
    status: isHeading ? null : status,
    since: state?.since ?? null,
    checks: checks.length,
    why,
  }
}

const aboutOf = (id: string, { attestations, excluded }: Known) => ({
  attestation: attestations.get(id),
  isExcluded: excluded.has(id),
})

export const judgedIn = (
  check: Check,
  slug: string,
  { states, now, here }: Known & { readonly here?: ReadonlyMap<string, number> | undefined },
): JudgedCheck =>
  judgedCheck(check, stateInControl(states.get(check.id), here), {
    controlIds: check.controls[slug] ?? [],
    now,
  })
