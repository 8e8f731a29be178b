import { permit, type Ctx } from '#platform/context.ts'
import { notFound } from '#platform/errors.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { checkIdsWhere, controlIdsWhere } from './conditions/chosen-ids-store.ts'
import { adoptions } from './adoption-store.ts'
import type { Attestation } from './attestations/attestation-store.ts'
import { controlOf, frameworkOf, frameworks, keyOf, textOf, type Framework } from './catalogue/catalogue.ts'
import { allChecks } from './checks/all-checks.ts'
import {
  changesOf,
  controlStates,
  type ControlChange,
  type ControlState,
} from './evaluation/control-store.ts'
import { affectedAssets, type AffectedAsset } from './evaluation/result-store.ts'
import { controlStatuses, type ControlStatus } from './evaluation/status.ts'
import { controlText } from './texts/control-text-store.ts'
import { byNeed, type JudgedCheck } from './judged-check.ts'
import { judgedIn, knownOf, readAll, summaryOf, type ControlSummary, type Known } from './known-controls.ts'

/** What people read: frameworks, their controls with status and reasons, and what to do first. */

const HISTORY_MAX = 100

export interface FrameworkSummary extends Omit<Framework, 'controls'> {
  /** How many controls it has, its headings not counted. */
  readonly controls: number
  /** How many of them a check can judge. */
  readonly judgeable: number
  /** Null: not adopted. */
  readonly adoptedAt: string | null
  /** Controls by status; all zero where it is not adopted. */
  readonly statuses: Readonly<Record<ControlStatus, number>>
  /** Share of passes among passes and fails, 0 to 1; warnings count for neither. Null where there is none of them. */
  readonly score: number | null
  /** Share of controls that have a status, 0 to 1: how much the score says. */
  readonly coverage: number
}

/** Adopted or not, in the order of the catalogue. */
export async function listFrameworks(ctx: Ctx): Promise<FrameworkSummary[]> {
  permit(ctx, 'compliance:read')
  const adopted = new Map((await adoptions(ctx)).map((it) => [it.framework, it.adoptedAt]))
  const checks = await allChecks(ctx)
  const states = await controlStates(ctx)
  return frameworks.map(({ controls, ...about }): FrameworkSummary => {
    const count = controls.filter(({ isHeading }) => !isHeading).length
    const judgeable = new Set(checks.flatMap((check) => check.controls[about.slug] ?? [])).size
    const own = states.filter(({ framework }) => framework === about.slug)
    const adoptedAt = adopted.get(about.slug) ?? null
    return { ...about, controls: count, judgeable, adoptedAt, ...figuresOf(own, count, adoptedAt !== null) }
  })
}

function figuresOf(
  states: readonly ControlState[],
  controls: number,
  isAdopted: boolean,
): Pick<FrameworkSummary, 'statuses' | 'score' | 'coverage'> {
  const count = (status: ControlStatus) => states.filter((it) => it.status === status).length
  const statuses = Object.fromEntries(controlStatuses.map((it) => [it, count(it)])) as Record<
    ControlStatus,
    number
  >
  const judged = statuses.pass + statuses.warning + statuses.fail
  const decided = statuses.pass + statuses.fail
  const assessed = judged + statuses.not_applicable
  return {
    statuses: { ...statuses, not_assessed: isAdopted ? controls - assessed : 0 },
    score: decided === 0 ? null : statuses.pass / decided,
    coverage: controls === 0 ? 0 : assessed / controls,
  }
}

export interface WantedControls {
  /** Absent or empty: headings too. */
  readonly statuses?: readonly ControlStatus[] | undefined
  /** A condition on the controls; given: no headings. */
  readonly where?: string | undefined
}

/** In the order of the framework. */
export async function listControls(
  ctx: Ctx,
  slug: string,
  { statuses = [], where }: WantedControls = {},
): Promise<ControlSummary[]> {
  permit(ctx, 'compliance:read')
  const { framework, known } = await read(ctx, slug)
  const chosen = where?.trim() ? await controlIdsWhere(ctx, { framework: slug, where }) : undefined
  return framework.controls
    .filter(({ id }) => chosen?.has(keyOf(slug, id)) ?? true)
    .map((control) => summaryOf(control, known))
    .filter(({ status }) => statuses.length === 0 || (status !== null && statuses.includes(status)))
}

/** 404 for an unknown framework. */
async function read(ctx: Ctx, slug: string): Promise<{ framework: Framework; known: Known }> {
  const framework = frameworkOf(slug)
  if (!framework) throw notFound('framework')
  return { framework, known: knownOf(await readAll(ctx), slug) }
}

/** What to do first: checks that fail, the worst severity first, then warnings, then the others. */
export async function listChecks(ctx: Ctx, slug: string, where?: string): Promise<JudgedCheck[]> {
  permit(ctx, 'compliance:read')
  const { known } = await read(ctx, slug)
  const chosen = where?.trim() ? await checkIdsWhere(ctx, where) : undefined
  return known.checks
    .filter(({ id }) => chosen?.has(id) ?? true)
    .map((check) => judgedIn(check, slug, known))
    .toSorted(byNeed)
}

export interface ControlDetail extends ControlSummary {
  /** What the framework asks for: as the organisation imported it, else where it may come with the product. */
  readonly text: string | null
  /** The framework's own, where the organisation imported it. */
  readonly licensedTitle: string | null
  readonly judgedBy: readonly JudgedCheck[]
  readonly attestation: Attestation | null
  /** The newest first, at most a hundred. */
  readonly history: readonly ControlChange[]
}

/** Why a control has its status. */
export async function explainControl(ctx: Ctx, slug: string, controlId: string): Promise<ControlDetail> {
  permit(ctx, 'compliance:read')
  const { known } = await read(ctx, slug)
  const control = controlOf(slug, controlId)
  if (!control) throw notFound('control')
  const checks = known.checks.filter((it) => it.controls[slug]?.includes(controlId))
  const inControl = { ...known, here: known.excepted.get(keyOf(slug, controlId)) }
  const imported = await controlText(ctx, slug, controlId)
  return {
    ...summaryOf(control, known),
    text: imported?.text || ((await textOf(slug, controlId)) ?? null),
    licensedTitle: imported?.title ?? null,
    judgedBy: checks.map((check) => judgedIn(check, slug, inControl)).toSorted(byNeed),
    attestation: known.attestations.get(controlId) ?? null,
    history: await changesOf(ctx, { framework: slug, controlId }, HISTORY_MAX),
  }
}

/** Assets that a check does not find in order: those that fail, then those of which it is unknown. */
export async function listAffectedAssets(
  ctx: Ctx,
  page: Page,
  checkId: string,
): Promise<Listed<AffectedAsset>> {
  permit(ctx, 'compliance:read')
  permit(ctx, 'assets:read')
  if (!(await allChecks(ctx)).some(({ id }) => id === checkId)) throw notFound('check')
  return affectedAssets(ctx, page, checkId)
}
