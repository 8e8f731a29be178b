import { randomUUID } from 'node:crypto'
import { record } from '#features/audit/audit.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { enqueue } from '#platform/jobs/job.ts'
import * as channels from '../channels/channel-store.ts'
import * as store from './outbox-store.ts'
import { gathered, sendDelivery, type Sent } from './send.ts'
import { sendDueJob } from './send-due-job.ts'

const BATCH = 10
/** Longer than any attempt. */
const LEASE_SECONDS = 120
const DAY_MS = 24 * 3_600_000
/** Before the second attempt, the third, and so on: eight attempts within 24 hours. */
const RETRY_MINUTES = [1, 5, 15, 60, 180, 420, 759]
/** A channel that has failed for so long is switched off. */
const FAILING_DAYS = 3
const KEPT_DAYS = 30

/** Sends the tenant's due notices, and asks for itself again when there will be more. Nothing waits in here. */
export async function sendDue(ctx: Ctx, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const lease = randomUUID()
    const claimed = await store.claim(ctx, lease, { limit: BATCH, leaseSeconds: LEASE_SECONDS })
    if (claimed.length === 0) break
    const messages = Map.groupBy(claimed, ({ firstId }) => firstId)
    await Promise.all([...messages.values()].map((all) => attempt(ctx, lease, all)))
  }
  if (await store.isHeldBack(ctx))
    await enqueue(ctx, sendDueJob, {}, new Date(ctx.now().getTime() + store.SPACING_SECONDS * 1_000))
}

/** One message; of several deliveries, those of one channel that are told together. */
async function attempt(ctx: Ctx, lease: string, all: readonly store.DueDelivery[]): Promise<void> {
  const sent = await sendDelivery(ctx, gathered(all)).catch((error: unknown): Sent => {
    ctx.log.error({ err: error, delivery: all[0]?.deliveryId }, 'a notice could not be sent')
    return { outcome: 'retry', error: 'an unexpected error; the log of the server has it' }
  })
  await atomically(ctx, async (inner) => {
    const noted = []
    for (const due of all)
      noted.push(await store.note(inner, { deliveryId: due.deliveryId, lease }, outcomeOf(inner, due, sent)))
    const [first] = all
    if (noted.includes(true) && first?.recipientKind === 'channel')
      await noteOnChannel(inner, first.recipientId, sent)
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
    nextAttemptAt: after(ctx, Math.max(minutes * 60, sent.afterSeconds ?? 0)),
  }
}

async function noteOnChannel(ctx: Ctx, id: string, sent: Sent): Promise<void> {
  if (sent.outcome === 'sent') return channels.noteSent(ctx, id)
  if (sent.outcome === 'dropped') return
  const notBefore = sent.afterSeconds ? after(ctx, sent.afterSeconds) : undefined
  const since = await channels.noteFailed(ctx, id, { error: sent.error, notBefore })
  if (since === undefined || ctx.now().getTime() - Date.parse(since) < FAILING_DAYS * DAY_MS) return
  const reason = `every attempt failed for ${FAILING_DAYS} days: ${sent.error}`
  if (await channels.switchOff(ctx, id, reason))
    await record(ctx, 'notice_channel.disabled', { type: 'notice_channel', id }, { reason })
}

const after = (ctx: Ctx, seconds: number): Date => new Date(ctx.now().getTime() + seconds * 1_000)

/** Retries, and what a crash left: for each tenant with something due a job. */
export async function enqueueDue(system: Ctx): Promise<void> {
  for (const tenantId of await store.tenantsWithDue(system))
    await enqueue({ ...system, tenantId }, sendDueJob, {})
}

export async function removeOldNotices(system: Ctx): Promise<void> {
  await store.removeBefore(system, new Date(system.now().getTime() - KEPT_DAYS * DAY_MS))
}
