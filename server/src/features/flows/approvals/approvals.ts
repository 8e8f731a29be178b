import { record } from '#features/audit/audit.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, invalid, notFound } from '#platform/errors.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { enqueue } from '#platform/jobs/job.ts'
import { newSecret, sha256 } from '#platform/secrets/random-keys.ts'
import { isUuid, newUuid } from '#platform/uuid.ts'
import { executeRunJob } from '../running/execution.ts'
import { decisions, type Approval, type ApprovalFilter, type Decision } from './approval.ts'
import * as store from './approval-store.ts'

/** Approvals: what a run asks of people before it goes on. Each is answered once, until it expires. */

const NOTE_LENGTH_MAX = 2_000
const DECIDED_AT_ONCE_MAX = 200

/** Of the sealed token: it can be opened for its approval alone. */
export const tokenContext = (approvalId: string): string => `flow approval ${approvalId}`

/** Newest first. None for a flow or run that the tenant does not have. */
export async function listApprovals(
  ctx: Ctx,
  page: Page,
  filter: ApprovalFilter = {},
): Promise<Listed<Approval>> {
  permit(ctx, 'approvals:read')
  const ids = [filter.flowId, filter.runId].filter((id) => id !== undefined)
  return ids.every(isUuid) ? store.list(ctx, page, filter) : { items: [], total: 0 }
}

export async function getApproval(ctx: Ctx, id: string): Promise<Approval> {
  permit(ctx, 'approvals:read')
  const found = isUuid(id) ? await store.find(ctx, id) : undefined
  if (!found) throw notFound('approval')
  return found
}

export interface Question {
  readonly runId: string
  readonly question: string
  readonly hours: number
}

/** In the transaction of a step. Answers the id; the token is there for later steps of the run. */
export async function requestApproval(ctx: Ctx, { runId, question, hours }: Question): Promise<string> {
  const id = newUuid(ctx.now())
  const token = newSecret()
  const tokenSealed = ctx.seal.seal(token, tokenContext(id))
  const expiresAt = new Date(ctx.now().getTime() + hours * 3_600_000)
  await store.add(ctx, { id, runId, question, expiresAt, tokenHash: sha256(token), tokenSealed })
  await record(ctx, 'flow_approval.requested', { type: 'flow_approval', id }, { runId, question })
  return id
}

/** The run goes on with the answer. 409 for one that was answered, has expired, or whose run has ended. */
export async function decideApproval(
  ctx: Ctx,
  id: string,
  { decision, note = '' }: Decision,
): Promise<Approval> {
  permit(ctx, 'approvals:write')
  if (!decisions.includes(decision)) throw invalid('decision', `must be one of ${decisions.join(', ')}`)
  if (note.length > NOTE_LENGTH_MAX || note.includes('\0'))
    throw invalid('note', `must have at most ${NOTE_LENGTH_MAX} characters`)
  return atomically(ctx, async (inner) => {
    const { state, expiresAt } = await locked(inner, id)
    if (state === 'expired') throw conflict('the request has expired')
    if (state === 'cancelled') throw conflict('the run has ended')
    if (state !== 'open') throw conflict(`the request is ${state} already`)
    if (Date.parse(expiresAt) <= inner.now().getTime()) throw conflict('the request has expired')
    const byName = inner.actor.name ?? inner.actor.id
    await store.decide(inner, id, { state: decision === 'approve' ? 'approved' : 'refused', byName, note })
    const approval = await getApproval(inner, id)
    const details = { runId: approval.runId, flow: approval.flowName, note }
    await record(inner, `flow_approval.${approval.state}`, { type: 'flow_approval', id }, details)
    if (await store.wake(inner, approval.runId))
      await enqueue(inner, executeRunJob, { runId: approval.runId })
    return approval
  })
}

/** All of them or none, with one note. Answers how many. */
export async function decideApprovals(ctx: Ctx, ids: readonly string[], decision: Decision): Promise<number> {
  permit(ctx, 'approvals:write')
  const chosen = [...new Set(ids)]
  if (chosen.length > DECIDED_AT_ONCE_MAX) throw invalid('ids', `at most ${DECIDED_AT_ONCE_MAX} at once`)
  return atomically(ctx, async (inner) => {
    // in one order, so that two people who answer the same requests do not lock each other out
    for (const id of chosen.toSorted()) await decideApproval(inner, id, decision)
    return chosen.length
  })
}

async function locked(ctx: Ctx, id: string) {
  const found = isUuid(id) ? await store.lock(ctx, id) : undefined
  if (!found) throw notFound('approval')
  return found
}
