import { record } from '#features/audit/audit.ts'
import { membersByEmail, userNames } from '#features/tenancy/tenancy.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, forbidden, invalid, notFound } from '#platform/errors.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { enqueue, job } from '#platform/jobs/job.ts'
import { isUuid, newUuid } from '#platform/uuid.ts'
import { lockAdoptions } from '../adoption-store.ts'
import { judgeControls } from '../evaluation/judge-controls.ts'
import { coverCondition } from './cover-condition.ts'
import type { Exception, NewException } from './exception.ts'
import { checkedSubject } from './exception-subject.ts'
import * as store from './exception-store.ts'
import { recountExceptions } from './recount-exceptions.ts'

/** Exceptions from checks and controls: create, approve, end. What changes one judges the controls again in the same transaction. */

const REASON_LENGTH_MAX = 2_000
const DAYS_MAX = 365
const DAY_MS = 86_400_000

/** Ends an exception when its time is up. */
export const endExpiredJob = job<{ readonly id: string }>('compliance.endExpired')

/** The newest first; of these checks and this control alone, unless `checkIds` is null. */
export function listExceptions(
  ctx: Ctx,
  page: Page,
  of: store.OfChecks = { checkIds: null },
): Promise<Listed<Exception>> {
  permit(ctx, 'compliance:read')
  return store.exceptions(ctx, page, of)
}

/** Those that a second person has to approve, the newest first; `limit` at most, and how many there are. */
export function exceptionsToApprove(ctx: Ctx, limit: number): Promise<Listed<Exception>> {
  permit(ctx, 'compliance:read')
  return store.proposed(ctx, limit)
}

/** Those in force that end within so many days, the soonest first; `limit` at most, and how many there are. */
export function exceptionsEndingWithin(ctx: Ctx, days: number, limit: number): Promise<Listed<Exception>> {
  permit(ctx, 'compliance:read')
  return store.endingBefore(ctx, new Date(ctx.now().getTime() + days * DAY_MS), limit)
}

/** In force at once, or after approval by a second person where the tenant requires it. */
export async function createException(ctx: Ctx, input: NewException): Promise<Exception> {
  permit(ctx, 'compliance:write')
  checked(ctx, input)
  return atomically(ctx, async (inner) => {
    await checkedSubject(inner, input)
    const owner = await ownerOf(inner, input.owner)
    const id = newUuid(inner.now())
    const state = (await store.needApproval(inner)) ? 'proposed' : 'active'
    const where = input.where?.trim()
    await store.add(inner, { ...input, where, reason: input.reason.trim(), id, state }, owner)
    await enqueue(inner, endExpiredJob, { id }, new Date(input.expiresAt))
    await record(inner, 'compliance_exception.created', subject(id), { ...input, state })
    const made = await requireException(inner, id)
    if (state === 'active') await judgeAgain(inner, made)
    return made
  })
}

/** The approver must not be the author. */
export async function approveException(ctx: Ctx, id: string): Promise<Exception> {
  permit(ctx, 'compliance:write')
  return atomically(ctx, async (inner) => {
    const found = await requireException(inner, id)
    if (found.state !== 'proposed')
      throw conflict(`the exception is ${found.state}; only a proposed one is approved`)
    if (found.createdBy === inner.actor.id) throw forbidden('a second person approves it')
    await store.approve(inner, id)
    await record(inner, 'compliance_exception.approved', subject(id), subjectOf(found))
    const approved = await requireException(inner, id)
    await judgeAgain(inner, approved)
    return approved
  })
}

export async function endException(ctx: Ctx, id: string, reason: string): Promise<Exception> {
  permit(ctx, 'compliance:write')
  const because = reasonIn(reason)
  return atomically(ctx, async (inner) => {
    const found = await requireException(inner, id)
    if (found.state === 'ended') throw conflict('the exception has ended already')
    return end(inner, found, because)
  })
}

/** At the end of its time; an exception that is gone or has ended stays as it is. */
export async function endExpired(ctx: Ctx, { id }: { readonly id: string }): Promise<void> {
  await atomically(ctx, async (inner) => {
    const found = await store.exception(inner, id)
    if (!found || found.state === 'ended' || Date.parse(found.expiresAt) > inner.now().getTime()) return
    await end(inner, found, 'its time is up')
  })
}

export function exceptionsNeedApproval(ctx: Ctx): Promise<boolean> {
  permit(ctx, 'compliance:read')
  return store.needApproval(ctx)
}

/** Whether a second person has to approve exceptions that are made from now on. */
export async function setExceptionsNeedApproval(ctx: Ctx, needed: boolean): Promise<boolean> {
  permit(ctx, 'settings:write')
  await atomically(ctx, async (inner) => {
    const before = await store.needApproval(inner)
    await store.setNeedApproval(inner, needed)
    const tenant = { type: 'tenant', id: inner.tenantId }
    await record(inner, 'compliance_settings.updated', tenant, { before, after: needed })
  })
  return needed
}

async function end(ctx: Ctx, found: Exception, because: string): Promise<Exception> {
  const { id } = found
  await store.end(ctx, id, because)
  await record(ctx, 'compliance_exception.ended', subject(id), { ...subjectOf(found), because })
  const ended = await requireException(ctx, id)
  await judgeAgain(ctx, ended)
  return ended
}

async function judgeAgain(ctx: Ctx, { checkId, where, state }: Exception): Promise<void> {
  await lockAdoptions(ctx)
  if (where !== null && state === 'active') await coverCondition(ctx, where)
  await recountExceptions(ctx, checkId === null ? [] : [checkId])
  await judgeControls(ctx)
}

const subjectOf = ({ checkId, framework, controlId }: Exception) =>
  checkId === null ? { framework, controlId } : { checkId }

const subject = (id: string) => ({ type: 'compliance_exception', id })

async function requireException(ctx: Ctx, id: string): Promise<Exception> {
  const found = isUuid(id) ? await store.exception(ctx, id) : undefined
  if (!found) throw notFound('exception')
  return found
}

/** The member with this address; without one who acts, unless that is a key. */
async function ownerOf(ctx: Ctx, owner: string | undefined): Promise<store.Owner | undefined> {
  const email = owner ?? (ctx.actor.kind === 'user' ? ctx.actor.name : undefined)
  if (email === undefined) return undefined
  const id = (await membersByEmail(ctx, [email.trim()])).get(email.trim().toLowerCase())
  if (id !== undefined) return { id, name: (await userNames(ctx, [id])).get(id) ?? email }
  if (owner === undefined) return undefined
  throw invalid('owner', 'is no member of the organisation')
}

function reasonIn(text: string): string {
  const reason = text.trim()
  if (reason === '' || reason.length > REASON_LENGTH_MAX)
    throw invalid('reason', `must have 1 to ${REASON_LENGTH_MAX} characters`)
  return reason
}

function checked(ctx: Ctx, { reason, expiresAt }: NewException): void {
  reasonIn(reason)
  const ahead = Date.parse(expiresAt) - ctx.now().getTime()
  if (!(ahead > 0 && ahead <= DAYS_MAX * DAY_MS))
    throw invalid('expiresAt', `must lie in the future, at most ${DAYS_MAX} days ahead`)
}
