import { createHash } from 'node:crypto'
import { deflateSync, inflateSync } from 'node:zlib'
import { canonicalJson, proofOf, record, type Proof } from '#features/audit/audit.ts'
import { listAttachments } from '#features/records/records.ts'
import { atomically, onOneState, permit, type Ctx } from '#platform/context.ts'
import { notFound } from '#platform/errors.ts'
import { enqueue } from '#platform/jobs/job.ts'
import { isUuid, newUuid } from '#platform/uuid.ts'
import { adoptions } from '../adoption-store.ts'
import { assessableControlOf, controlOf } from '../catalogue/catalogue.ts'
import { changesOf, type ControlChange } from '../evaluation/control-store.ts'
import { asSystem } from '../evaluation/judge-due.ts'
import { firstAffected } from '../evaluation/result-store.ts'
import { controlSql, type ControlSql } from '../exceptions/excepted-store.ts'
import type { JudgedCheck } from '../judged-check.ts'
import { explainControl } from '../overview.ts'
import { recordEvidenceJob } from './evidence-job.ts'
import { advisoriesUsed, FACTS_MAX, factsOfAssets } from './basis.ts'
import * as store from './evidence-store.ts'

export type { Evidence } from './evidence-store.ts'

/**
 * Evidence: what the status of a control was judged on, recorded after each change of it, each month, and when a person
 * asks.
 * Canonical JSON whose digest the audit log names, so that nobody can change it unseen.
 */

/** How far back a change is looked for. */
const CHANGES_MAX = 1_000
const ASSETS_MAX = 10_000
const LISTED_MAX = 100

/** The newest first. */
export async function listEvidence(ctx: Ctx, control: Control): Promise<store.Evidence[]> {
  permit(ctx, 'compliance:read')
  if (!controlOf(control.framework, control.controlId)) throw notFound('control')
  return store.evidenceOf(ctx, control, LISTED_MAX)
}

/** As a file that `rollcall verify` checks. It names assets. */
export async function evidenceProof(ctx: Ctx, id: string): Promise<Proof> {
  permit(ctx, 'compliance:read')
  permit(ctx, 'assets:read')
  // facts that it names may be findings
  permit(ctx, 'vulnerabilities:read')
  const found = isUuid(id) ? await store.evidence(ctx, id) : undefined
  if (!found) throw notFound('evidence')
  const document = JSON.parse(inflateSync(found.content).toString('utf8')) as unknown
  return proofOf(ctx, 'evidence', { document, digest: found.digest, subject: subjectOf(found) })
}

/** Of a control as it is now. */
export async function recordEvidenceOf(ctx: Ctx, framework: string, controlId: string): Promise<string> {
  permit(ctx, 'compliance:write')
  if (!assessableControlOf(framework, controlId)) throw notFound('control')
  return write(ctx, { framework, controlId })
}

/** After the commit that changed the controls. A framework that was dropped since has none. */
export async function recordEvidence(
  ctx: Ctx,
  {
    framework,
    controlIds,
    changedAt,
  }: {
    readonly framework: string
    readonly controlIds: readonly string[]
    readonly changedAt?: string
  },
  signal?: AbortSignal,
): Promise<void> {
  if (!(await adoptions(ctx)).some((it) => it.framework === framework)) return
  for (const controlId of controlIds) {
    signal?.throwIfAborted()
    if (controlOf(framework, controlId)) await write(ctx, { framework, controlId }, changedAt)
  }
}

/** In the commit of the caller: jobs for all controls with a status of which nothing was recorded in this month (UTC). */
export async function enqueueMonthlyEvidence(ctx: Ctx): Promise<void> {
  const now = ctx.now()
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()))
  const missing = await store.controlsWithoutEvidence(ctx, month)
  for (const [framework, controls] of Map.groupBy(missing, (it) => it.framework))
    await enqueue(ctx, recordEvidenceJob, {
      framework,
      controlIds: controls.map(({ controlId }) => controlId),
    })
}

/**
 * Collected on one state of the database, so that status, counts and results are of one moment; it holds up nobody who
 * judges meanwhile. Of a change (`changedAt`) that another one followed before this ran, the status and its reasons are
 * recorded as they were; which assets they were about is known no more.
 */
async function write(ctx: Ctx, control: Control, changedAt?: string): Promise<string> {
  const { document, change } = await onOneState(ctx, async (inner) => {
    const of = { ...control, recordedAt: inner.now().toISOString() }
    const changes = await changeAt(inner, control, changedAt)
    return {
      document: superseded(inner, of, changes) ?? (await collect(asSystem(inner), of)),
      change: changes.at,
    }
  })
  const bytes = Buffer.from(canonicalJson(document))
  const digest = createHash('sha256').update(bytes).digest('hex')
  const id = newUuid(ctx.now())
  const { effective_on: effectiveOn, recorded_at: recordedAt } = document
  return atomically(ctx, async (inner) => {
    await store.add(inner, { id, ...control, effectiveOn, recordedAt, digest }, deflateSync(bytes))
    if (change) await store.linkToChange(inner, change.id, id)
    await record(inner, 'compliance_evidence.recorded', subjectOf({ id }), {
      framework: control.framework,
      control: control.controlId,
      status: document.status,
      sha256: digest,
    })
    return id
  })
}

const subjectOf = ({ id }: Pick<store.Evidence, 'id'>) => ({ type: 'compliance_evidence', id })

type Control = Pick<store.Evidence, 'framework' | 'controlId'>

interface Recorded extends Control {
  readonly recordedAt: string
}

/** Undefined: it is the last change of the control. */
function superseded(ctx: Ctx, { framework, controlId, recordedAt }: Recorded, { at: change, next }: Changes) {
  if (!change || !next) return undefined
  return {
    tenant: ctx.tenantId,
    framework,
    control: controlId,
    title: controlOf(framework, controlId)?.title ?? controlId,
    status: change.to,
    effective_on: change.changedAt,
    recorded_at: recordedAt,
    superseded_at: next.changedAt,
    why: change.why,
    checks: [],
    advisories: null,
    attestation: null,
  }
}

interface Changes {
  readonly at?: ControlChange | undefined
  readonly next?: ControlChange | undefined
}

/** The change that evidence is asked for, and the one that followed; none where it is asked for without a change. */
async function changeAt(ctx: Ctx, control: Control, changedAt: string | undefined): Promise<Changes> {
  if (changedAt === undefined) return {}
  const changes = await changesOf(ctx, control, CHANGES_MAX)
  // the job was made just before the change was written, in the same transaction
  const at = changes.findLastIndex((it) => Date.parse(it.changedAt) >= Date.parse(changedAt))
  return { at: changes[at], next: changes[at - 1] }
}

async function collect(ctx: Ctx, { framework, controlId, recordedAt }: Recorded) {
  const control = await explainControl(ctx, framework, controlId)
  const { status, since, why, judgedBy, attestation } = control
  const checks: unknown[] = []
  for (const check of judgedBy)
    checks.push(await factsOf(ctx, check, controlSql({ framework, id: controlId })))
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
    advisories: await advisoriesUsed(ctx),
    attestation: attestation && {
      statement: attestation.statement,
      by: attestation.attestedByName,
      at: attestation.attestedAt,
      valid_until: attestation.validUntil,
      files: await filesOf(ctx, `${framework} ${controlId}`),
    },
  }
}

/** What an attestation rests on, each by its digest. */
async function filesOf(ctx: Ctx, control: string) {
  const files = await listAttachments(ctx, { control })
  return files.map(({ name, bytes, digest, addedBy, addedAt }) => ({
    name: name.toWellFormed(),
    bytes,
    sha256: digest,
    added_by: addedBy.toWellFormed(),
    added_at: addedAt,
  }))
}

async function factsOf(ctx: Ctx, check: JudgedCheck, control: ControlSql) {
  const { id, title, revision, scope, condition, freshness, tolerance, judgedAt } = check
  const { inScope: in_scope, ok, failed, unknown, excepted } = check
  const rows = await firstAffected(ctx, id, { limit: ASSETS_MAX, control })
  const looked = rows.slice(0, FACTS_MAX).map(({ assetId }) => assetId)
  const facts = await factsOfAssets(ctx, check, looked)
  return {
    id,
    title,
    revision,
    scope,
    condition,
    freshness,
    tolerance,
    judged_at: judgedAt,
    counts: { in_scope, ok, failed, unknown, excepted },
    /**
     * Those that fail, then those of which it is unknown, each by id; the others are left out for their number. The first
     * have the facts that the check asks about, as they were known when this was recorded.
     */
    assets: rows.map(({ assetId, name, outcome, since, isExcepted }) => ({
      id: assetId,
      name: name.toWellFormed(),
      outcome,
      since,
      excepted: isExcepted,
      facts: facts.get(assetId),
    })),
    assets_left_out: Math.max(0, failed + unknown - rows.length),
    /** Of all of them: `digestOfResults` says how it is made. */
    assets_digest: await store.digestOfResults(ctx, id),
  }
}
