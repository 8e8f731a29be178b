import { createHash } from 'node:crypto'
import { deflateSync, inflateSync } from 'node:zlib'
import { canonicalJson, proofOf, record, type Proof } from '#features/audit/audit.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { notFound } from '#platform/errors.ts'
import { isUuid, newUuid } from '#platform/uuid.ts'
import { adoptions } from '../adoption-store.ts'
import { controlOf } from '../catalogue/catalogue.ts'
import { asSystem } from '../evaluation/judge-due.ts'
import { affectedAssets, type AffectedAsset } from '../evaluation/result-store.ts'
import type { JudgedCheck } from '../judged-check.ts'
import { explainControl } from '../overview.ts'
import * as store from './evidence-store.ts'

export type { Evidence } from './evidence-store.ts'

/**
 * Evidence: what the status of a control was judged on, recorded after each change of it and when a person asks.
 * Canonical JSON whose digest the audit log names, so that nobody can change it unseen.
 */

const ASSETS_MAX = 10_000
const ASSETS_AT_ONCE = 1_000
const LISTED_MAX = 100

/** The newest first. */
export async function listEvidence(
  ctx: Ctx,
  control: Pick<store.Evidence, 'framework' | 'controlId'>,
): Promise<store.Evidence[]> {
  permit(ctx, 'compliance:read')
  if (!controlOf(control.framework, control.controlId)) throw notFound('control')
  return store.evidenceOf(ctx, control, LISTED_MAX)
}

/** As a file that `rollcall verify` checks. It names assets. */
export async function evidenceProof(ctx: Ctx, id: string): Promise<Proof> {
  permit(ctx, 'compliance:read')
  permit(ctx, 'assets:read')
  const found = isUuid(id) ? await store.evidence(ctx, id) : undefined
  if (!found) throw notFound('evidence')
  const document = JSON.parse(inflateSync(found.content).toString('utf8')) as unknown
  return proofOf(ctx, 'evidence', { document, digest: found.digest, subject: subjectOf(found) })
}

/** Of a control as it is now. */
export async function recordEvidenceOf(ctx: Ctx, framework: string, controlId: string): Promise<string> {
  permit(ctx, 'compliance:write')
  if (!controlOf(framework, controlId)) throw notFound('control')
  return write(ctx, framework, controlId)
}

/** After the commit that changed the controls. A framework that was dropped since has none. */
export async function recordEvidence(
  ctx: Ctx,
  { framework, controlIds }: { readonly framework: string; readonly controlIds: readonly string[] },
  signal?: AbortSignal,
): Promise<void> {
  if (!(await adoptions(ctx)).some((it) => it.framework === framework)) return
  for (const controlId of controlIds) {
    signal?.throwIfAborted()
    if (controlOf(framework, controlId)) await write(ctx, framework, controlId)
  }
}

/** Collected and written in one transaction; its statements see what others commit between them. */
function write(ctx: Ctx, framework: string, controlId: string): Promise<string> {
  return atomically(ctx, async (inner) => {
    const recordedAt = inner.now().toISOString()
    const document = await collect(asSystem(inner), { framework, controlId, recordedAt })
    const bytes = Buffer.from(canonicalJson(document))
    const digest = createHash('sha256').update(bytes).digest('hex')
    const id = newUuid(inner.now())
    const effectiveOn = document.effective_on
    await store.add(inner, { id, framework, controlId, effectiveOn, recordedAt, digest }, deflateSync(bytes))
    await record(inner, 'compliance_evidence.recorded', subjectOf({ id }), {
      framework,
      control: controlId,
      status: document.status,
      sha256: digest,
    })
    return id
  })
}

const subjectOf = ({ id }: Pick<store.Evidence, 'id'>) => ({ type: 'compliance_evidence', id })

async function collect(
  ctx: Ctx,
  {
    framework,
    controlId,
    recordedAt,
  }: { readonly framework: string; readonly controlId: string; readonly recordedAt: string },
) {
  const control = await explainControl(ctx, framework, controlId)
  const { status, since, why, judgedBy, attestation } = control
  const checks: unknown[] = []
  for (const check of judgedBy) checks.push(await factsOf(ctx, check))
  return {
    tenant: ctx.tenantId,
    framework,
    control: controlId,
    title: control.title,
    status: status ?? 'not_assessed',
    effective_on: since ?? recordedAt,
    recorded_at: recordedAt,
    why,
    checks,
    attestation: attestation && {
      statement: attestation.statement,
      by: attestation.attestedByName,
      at: attestation.attestedAt,
      valid_until: attestation.validUntil,
    },
  }
}

async function factsOf(ctx: Ctx, check: JudgedCheck) {
  const { id, title, revision, scope, condition, tolerance, judgedAt } = check
  const { inScope: in_scope, ok, failed, unknown, excepted } = check
  const rows = await notInOrder(ctx, id)
  return {
    id,
    title,
    revision,
    scope,
    condition,
    tolerance,
    judged_at: judgedAt,
    counts: { in_scope, ok, failed, unknown, excepted },
    /** Of those that fail or are unknown; the others are left out for their number. */
    assets: rows.map(({ assetId, name, outcome, since, isExcepted }) => ({
      id: assetId,
      name: name.toWellFormed(),
      outcome,
      since,
      excepted: isExcepted,
    })),
    assets_left_out: Math.max(0, failed + unknown - rows.length),
  }
}

async function notInOrder(ctx: Ctx, checkId: string): Promise<AffectedAsset[]> {
  const rows: AffectedAsset[] = []
  for (let offset = 0; offset < ASSETS_MAX; offset += ASSETS_AT_ONCE) {
    const { items } = await affectedAssets(ctx, { limit: ASSETS_AT_ONCE, offset }, checkId)
    rows.push(...items)
    if (items.length < ASSETS_AT_ONCE) break
  }
  return rows
}
