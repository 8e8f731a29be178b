import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { record } from '#features/audit/audit.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { enqueue } from '#platform/jobs/job.ts'
import * as channels from '../channels/channel-store.ts'
import * as store from './outbox-store.ts'
import { sendDelivery, type Sent } from './send.ts'
import { sendDueJob } from './send-due-job.ts'

const BATCH = 10
/** Longer than any attempt. */
const LEASE_SECONDS = 120
/** Chat services take about one message a second from a webhook. */
const SPACING_MS = 1_000
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** Before the second attempt, the third, and so on: eight attempts within 24 hours. */
const RETRY_MINUTES = [1, 5, 15, 60, 180, 420, 759]
/** A channel that has failed for so long is switched off. */
const FAILING_DAYS = 3
const KEPT_DAYS = 30

/** Sends the tenant's due notices, and asks for itself again when there will be more. */
export async function sendDue(ctx: Ctx, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const lease = randomUUID()
    const claimed = await store.claim(ctx, lease, { limit: BATCH, leaseSeconds: LEASE_SECONDS })
    if (claimed.length === 0) return
    await Promise.all(claimed.map((due) => attempt(ctx, lease, due)))
    if (claimed.some(({ recipientKind }) => recipientKind === 'channel'))
      await sleep(SPACING_MS, undefined, { signal })
  }
}

async function attempt(ctx: Ctx, lease: string, due: store.DueDelivery): Promise<void> {
  const sent = await sendDelivery(ctx, due).catch((error: unknown): Sent => {
    ctx.log.error({ err: error, delivery: due.deliveryId }, 'a notice could not be sent')
    return { outcome: 'retry', error: 'an unexpected error; the log of the server has it' }
  })
  await atomically(ctx, async (inner) => {
    const isOurs = await store.note(inner, { deliveryId: due.deliveryId, lease }, outcomeOf(inner, due, sent))
    if (isOurs && due.recipientKind === 'channel') await noteOnChannel(inner, due.recipientId, sent)
  })
}

function outcomeOf(ctx: Ctx, { attempt: n }: store.DueDelivery, sent: Sent): store.Outcome {
  if (sent.outcome === 'sent') return { status: 'sent', error: null }
  const minutes = RETRY_MINUTES[n - 1]
  if (sent.outcome !== 'retry' || minutes === undefined)
    return { status: sent.outcome === 'dropped' ? 'dropped' : 'failed', error: sent.error }
  return {
    status: 'waiting',
    error: sent.error,
    nextAttemptAt: new Date(ctx.now().getTime() + minutes * MINUTE_MS),
  }
}

async function noteOnChannel(ctx: Ctx, id: string, sent: Sent): Promise<void> {
  if (sent.outcome === 'sent') return channels.noteSent(ctx, id)
  if (sent.outcome === 'dropped') return
  const since = await channels.noteFailed(ctx, id, sent.error)
  if (since === undefined || ctx.now().getTime() - Date.parse(since) < FAILING_DAYS * DAY_MS) return
  const reason = `every attempt failed for ${FAILING_DAYS} days: ${sent.error}`
  if (await channels.switchOff(ctx, id, reason))
    await record(ctx, 'notice_channel.disabled', { type: 'notice_channel', id }, { reason })
}

/** Retries, and what a crash left: for each tenant with something due a job. */
export async function enqueueDue(system: Ctx): Promise<void> {
  for (const tenantId of await store.tenantsWithDue(system))
    await enqueue({ ...system, tenantId }, sendDueJob, {})
}

export async function removeOldNotices(system: Ctx): Promise<void> {
  await store.removeBefore(system, new Date(system.now().getTime() - KEPT_DAYS * DAY_MS))
}
