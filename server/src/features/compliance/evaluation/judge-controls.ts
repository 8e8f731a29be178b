import { emit } from '#features/events/events.ts'
import type { Ctx } from '#platform/context.ts'
import { unreachable } from '#platform/errors.ts'
import { enqueue } from '#platform/jobs/job.ts'
import { namedUuid } from '#platform/uuid.ts'
import { lockAdoptions } from '../adoption-store.ts'
import { attestationsInForce, type Attestation } from '../attestations/attestation-store.ts'
import { keyOf } from '../catalogue/catalogue.ts'
import { recordEvidenceJob } from '../evidence/evidence-job.ts'
import { allChecks } from '../checks/all-checks.ts'
import { checkIn } from '../checks/check-setting.ts'
import type { Check } from '../checks/check.ts'
import { excludedControls } from '../statements/statement-store.ts'
import {
  exceptedByControl,
  stateInControl,
  type ExceptedInControls,
} from '../exceptions/excepted-in-control.ts'
import { controlSql } from '../exceptions/excepted-store.ts'
import * as controlStore from './control-store.ts'
import { outcomeOf, whyOf } from './outcome.ts'
import { causesOf, states, type Causes, type CheckState } from './result-store.ts'
import { statusOf, type ControlStatus } from './status.ts'

/** How many assets an event lists; it counts all of them beside. */
const ASSETS_MAX = 1_000
/** The namespace of `compliance_id`, the UUID (version 5) that a control of a tenant always has. */
const CONTROLS_OF_TENANTS = '5a0b9d5e-7f6c-4b0e-9a53-0d3f4d1c2b71'
const DAY_MS = 86_400_000

/**
 * Writes the status of every control of the adopted frameworks that differs from the one before, its history and
 * COMPLIANCE_UPDATED, in the caller's transaction. Two of them wait for each other, and the second reads anew.
 */
export async function judgeControls(ctx: Ctx): Promise<void> {
  const adopted = (await lockAdoptions(ctx)).map(({ framework }) => framework)
  if (adopted.length === 0) return
  const known = {
    now: ctx.now(),
    checks: await allChecks(ctx),
    states: new Map((await states(ctx)).map((it) => [it.checkId, it])),
    excepted: await exceptedByControl(ctx),
    excluded: new Map((await excludedControls(ctx)).map((it) => [keyOf(it.framework, it.controlId), it])),
    attestations: new Map(
      (await attestationsInForce(ctx)).map((it) => [keyOf(it.framework, it.controlId), it]),
    ),
  }
  const before = new Map(
    (await controlStore.statusesOfControls(ctx)).map((it) => [keyOf(it.framework, it.controlId), it]),
  )
  const judged = controlsToJudge(adopted, known, [...before.values()])
  const changing = judged.filter(
    ({ framework, controlId, status }) =>
      status !== (before.get(keyOf(framework, controlId))?.status ?? 'not_assessed'),
  )
  await publish(ctx, changing, { before, excepted: known.excepted })
}

/** The controls of a framework lose their status, in the caller's transaction and under its lock of the adoptions. */
export async function leaveFramework(ctx: Ctx, framework: string): Promise<void> {
  const states = (await controlStore.statusesOfControls(ctx)).filter((it) => it.framework === framework)
  const why = ['The framework is no longer adopted.']
  const leaving = states
    .filter(({ status }) => status !== 'not_assessed')
    .map(({ controlId }): Judged => ({ framework, controlId, status: 'not_assessed', checkIds: [], why }))
  const before = new Map(states.map((it) => [keyOf(framework, it.controlId), it]))
  await publish(ctx, leaving, { before, excepted: new Map() })
  await controlStore.removeFramework(ctx, framework)
}

interface Judged {
  readonly framework: string
  readonly controlId: string
  readonly status: ControlStatus
  readonly checkIds: readonly string[]
  readonly why: readonly string[]
}

interface Known {
  readonly now: Date
  readonly checks: readonly Check[]
  readonly states: ReadonlyMap<string, CheckState>
  readonly excepted: ExceptedInControls
  readonly attestations: ReadonlyMap<string, Attestation>
  /** By an approved statement of applicability. */
  readonly excluded: ReadonlyMap<string, { readonly framework: string; readonly controlId: string }>
}

/** Controls with a check, an attestation, or a status that they may lose. */
function controlsToJudge(
  adopted: readonly string[],
  known: Known,
  before: readonly controlStore.StatusOfControl[],
): Judged[] {
  return adopted.flatMap((framework) => {
    const checksOf = new Map<string, Check[]>()
    for (const check of known.checks)
      for (const id of check.controls[framework] ?? []) checksOf.set(id, [...(checksOf.get(id) ?? []), check])
    const others = [...known.attestations.values(), ...known.excluded.values(), ...before].filter(
      (it) => it.framework === framework,
    )
    const ids = new Set([...checksOf.keys(), ...others.map(({ controlId }) => controlId)])
    return [...ids]
      .filter(
        (controlId) =>
          known.excluded.has(keyOf(framework, controlId)) ||
          !(checksOf.get(controlId) ?? []).some((check) => isPending(check, known)),
      )
      .map((controlId) => judge({ framework, controlId }, checksOf.get(controlId) ?? [], known))
  })
}

/** Was not judged over all assets as it is now; a round that will was asked for, and its controls wait for that. */
function isPending({ id, revision }: Check, { states }: Known): boolean {
  const state = states.get(id)
  return state === undefined || (state.fault === null && state.revision !== revision)
}

function judge(
  { framework, controlId }: { framework: string; controlId: string },
  checks: readonly Check[],
  { states, excepted, attestations, excluded, now }: Known,
): Judged {
  const here = excepted.get(keyOf(framework, controlId))
  const attestation = attestations.get(keyOf(framework, controlId))
  const outcomes = checks.map((check) =>
    outcomeOf(checkIn(check, framework), stateInControl(states.get(check.id), here), now),
  )
  const attestationDaysLeft = attestation && (Date.parse(attestation.validUntil) - now.getTime()) / DAY_MS
  const isNotApplicable = excluded.has(keyOf(framework, controlId))
  const status = statusOf({ checks: outcomes, attestationDaysLeft, isNotApplicable })
  const why = whyOf({ status, checks, outcomes, attestation, isExcluded: isNotApplicable })
  return { framework, controlId, status, checkIds: checks.map(({ id }) => id), why }
}

interface Before {
  readonly before: ReadonlyMap<string, controlStore.StatusOfControl>
  readonly excepted: ExceptedInControls
}

async function publish(ctx: Ctx, changing: readonly Judged[], { before, excepted }: Before): Promise<void> {
  if (changing.length === 0) return
  const assetsBy = new Map<string, EventAssets>()
  const statuses: controlStore.NewStatus[] = []
  const failedBefore = await controlStore.failedBefore(ctx, changing)
  for (const { framework, controlId, status, checkIds, why } of changing) {
    const key = keyOf(framework, controlId)
    const previous = before.get(key)
    const control = excepted.has(key) ? controlSql({ framework, id: controlId }) : undefined
    const causes = await causesOf(ctx, checkIds, {
      failedBefore: failedBefore.get(key) ?? [],
      limit: ASSETS_MAX,
      control,
    })
    assetsBy.set(key, assetsOf(status, causes))
    const cause = { why, failing: causes.failing }
    statuses.push({ framework, controlId, status, previous: previous?.status ?? 'not_assessed', cause })
  }
  const updatedAt = ctx.now().toISOString()
  const written = await controlStore.writeStatuses(ctx, statuses)
  for (const [framework, changed] of Map.groupBy(written, (it) => it.framework)) {
    const controlIds = changed.map(({ controlId }) => controlId)
    await enqueue(ctx, recordEvidenceJob, { framework, controlIds, changedAt: updatedAt })
  }
  await emit(
    ctx,
    written.map(({ framework, controlId, status, previous }) => ({
      type: 'COMPLIANCE_UPDATED' as const,
      payload: {
        compliance_id: namedUuid(CONTROLS_OF_TENANTS, `${ctx.tenantId} ${framework} ${controlId}`),
        asset_id: '',
        framework,
        control_id: controlId,
        status,
        previous_status: previous,
        updated_at: updatedAt,
        ...assetsBy.get(keyOf(framework, controlId)),
      },
    })),
  )
}

/** The assets that caused a status; `asset_count` counts those beyond the limit too. */
interface EventAssets {
  readonly asset_ids: readonly string[]
  readonly asset_count: number
  /** Those that failed when the status changed last, and do not any more. */
  readonly recovered_asset_ids: readonly string[]
}

function assetsOf(status: ControlStatus, causes: Causes): EventAssets {
  const { failing, failingCount, doubtful, doubtfulCount, recovered: recovered_asset_ids } = causes
  switch (status) {
    case 'fail':
      return { asset_ids: failing, asset_count: failingCount, recovered_asset_ids }
    case 'warning':
      return {
        asset_ids: [...failing, ...doubtful].sort().slice(0, ASSETS_MAX),
        asset_count: failingCount + doubtfulCount,
        recovered_asset_ids,
      }
    case 'pass':
    case 'not_applicable':
    case 'not_assessed':
      return { asset_ids: [], asset_count: 0, recovered_asset_ids }
    default:
      return unreachable(status)
  }
}
