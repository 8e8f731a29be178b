import { permit, type Ctx } from '#platform/context.ts'
import { adoptions } from './adoption-store.ts'
import { attestationsInForce } from './attestations/attestation-store.ts'
import { frameworkOf, keyOf, type Control } from './catalogue/catalogue.ts'
import { controlStates, formerStatuses, statusesAt } from './evaluation/control-store.ts'
import { affectedAssets, failuresAmong, type AffectedAsset } from './evaluation/result-store.ts'
import type { ControlStatus } from './evaluation/status.ts'
import { lastEvidence, type Evidence } from './evidence/evidence-store.ts'
import { exceptedByControl } from './exceptions/excepted-in-control.ts'
import { lastEnds } from './exceptions/exception-store.ts'
import type { JudgedCheck } from './judged-check.ts'
import { listChecks } from './overview.ts'
import { statements } from './statements/statement-store.ts'
import type { Statement } from './statements/statement.ts'

/** The rows of the report on compliance. */

const ASSETS_PER_CHECK = 500
const LENGTH_OF_DAY = 'YYYY-MM-DD'.length

export interface ControlRow {
  readonly control: Control
  readonly status: ControlStatus
  /** At the start of the period; without one the status before the current one, null where it never changed. */
  readonly previous: ControlStatus | null
  /** Null: never judged. */
  readonly since: string | null
  /** Of its checks together: an asset counts once for each. All null where no check was judged. */
  readonly counts: Counts | null
  /** Days, `YYYY-MM-DD`: when the last exception from its checks, and its attestation, end. */
  readonly exceptionsEnd: string | null
  readonly attestedUntil: string | null
  /** Who attests it. */
  readonly owner: string | null
}

interface Counts {
  readonly inScope: number
  readonly ok: number
  readonly failed: number
  readonly unknown: number
  readonly excepted: number
}

/** Controls of all adopted frameworks in their order, headings left out. */
export async function reportControls(ctx: Ctx, periodStart: Date | undefined): Promise<ControlRow[]> {
  permit(ctx, 'compliance:read')
  const byControl = <T extends { framework: string; controlId: string }>(all: readonly T[]) =>
    new Map(all.map((it) => [keyOf(it.framework, it.controlId), it]))
  const states = byControl(await controlStates(ctx))
  const attestations = byControl(await attestationsInForce(ctx))
  const before = byControl(periodStart ? await statusesAt(ctx, periodStart) : await formerStatuses(ctx))
  const ends = new Map(
    (await lastEnds(ctx)).map((it) => [
      it.checkId ?? keyOf(it.framework ?? '', it.controlId ?? ''),
      it.endsAt,
    ]),
  )
  const excepted = await exceptedByControl(ctx)
  const rows: ControlRow[] = []
  for (const { framework } of await adoptions(ctx)) {
    const checks = await listChecks(ctx, framework)
    for (const control of frameworkOf(framework)?.controls ?? []) {
      if (control.isHeading) continue
      const key = keyOf(framework, control.id)
      const status = states.get(key)?.status ?? 'not_assessed'
      const own = checks
        .filter(({ controlIds }) => controlIds.includes(control.id))
        .map((it) => ({ ...it, excepted: excepted.get(key)?.get(it.id) ?? it.excepted }))
      const attestation = attestations.get(key)
      rows.push({
        control,
        status,
        previous: before.get(key)?.status ?? (periodStart ? status : null),
        since: states.get(key)?.since ?? null,
        counts: countsOf(own),
        exceptionsEnd: dayOf(
          [key, ...own.map(({ id }) => id)]
            .flatMap((it) => ends.get(it) ?? [])
            .toSorted()
            .at(-1),
        ),
        attestedUntil: dayOf(attestation?.validUntil),
        owner: attestation?.attestedByName ?? null,
      })
    }
  }
  return rows
}

export interface FailingCheck {
  readonly framework: string
  readonly check: JudgedCheck
  /** Of all assets, or of those that were asked about. */
  readonly failed: number
  readonly excepted: number
  /** Up to five hundred that fail. */
  readonly assets: readonly AffectedAsset[]
}

/**
 * Checks that fail, what to do first at the top, each once for each framework that asks for it. `assetIds`: those that
 * fail for one of these.
 */
export async function reportFailures(ctx: Ctx, assetIds?: readonly string[]): Promise<FailingCheck[]> {
  permit(ctx, 'compliance:read')
  const failing: FailingCheck[] = []
  for (const { framework } of await adoptions(ctx))
    for (const check of await listChecks(ctx, framework)) {
      if (check.failed === 0) continue
      if (assetIds) {
        const all = await failuresAmong(ctx, check.id, assetIds)
        const excepted = all.filter(({ isExcepted }) => isExcepted).length
        const assets = all.slice(0, ASSETS_PER_CHECK)
        if (all.length > 0) failing.push({ framework, check, failed: all.length, excepted, assets })
        continue
      }
      const { items } = await affectedAssets(ctx, { limit: ASSETS_PER_CHECK, offset: 0 }, check.id)
      const assets = items.filter(({ outcome }) => outcome === 'failed')
      failing.push({ framework, check, failed: check.failed, excepted: check.excepted, assets })
    }
  return failing
}

/** Of each control of the adopted frameworks the evidence recorded last, until the end of the period if given. */
export async function reportEvidence(ctx: Ctx, periodEnd: Date | undefined): Promise<Evidence[]> {
  permit(ctx, 'compliance:read')
  const adopted = (await adoptions(ctx)).map(({ framework }) => framework)
  return lastEvidence(ctx, adopted, periodEnd)
}

/** The approved statements of applicability of the adopted frameworks. */
export async function reportStatements(ctx: Ctx): Promise<Statement[]> {
  permit(ctx, 'compliance:read')
  const adopted = new Set((await adoptions(ctx)).map(({ framework }) => framework))
  return (await statements(ctx, null)).filter((it) => it.state === 'approved' && adopted.has(it.framework))
}

function countsOf(checks: readonly JudgedCheck[]): Counts | null {
  const judged = checks.filter(({ judgedAt }) => judgedAt !== null)
  if (judged.length === 0) return null
  const sum = (of: keyof Counts) => judged.reduce((total, check) => total + check[of], 0)
  return {
    inScope: sum('inScope'),
    ok: sum('ok'),
    failed: sum('failed'),
    unknown: sum('unknown'),
    excepted: sum('excepted'),
  }
}

const dayOf = (instant: string | undefined): string | null => instant?.slice(0, LENGTH_OF_DAY) ?? null
