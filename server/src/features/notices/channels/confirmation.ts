import { newUuid } from '#platform/uuid.ts'
import type { Ctx } from '#platform/context.ts'
import { enqueueNotice } from '../enqueue-notice.ts'
import { CONFIRMATION_TOPIC } from '../delivery/send.ts'
import { linkUrl } from '../delivery/subscription-links.ts'
import type { NoticeChannel } from './channel.ts'

const DAYS = 7

/** Double opt-in: nothing else goes to the address before the person there has agreed. */
export async function askForConfirmation(ctx: Ctx, { id }: NoticeChannel): Promise<void> {
  const until = new Date(ctx.now().getTime() + DAYS * 86_400_000).toISOString()
  const recipient = { kind: 'channel', id } as const
  const url = linkUrl(ctx, {
    action: 'confirm',
    tenantId: ctx.tenantId,
    recipient,
    topic: CONFIRMATION_TOPIC,
    until,
  })
  await enqueueNotice(ctx, {
    dedupeKey: `confirmation:${id}:${newUuid(ctx.now())}`,
    recipients: [{ channelId: id }],
    topic: CONFIRMATION_TOPIC,
    subject: 'Notices of Rollcall for this address?',
    text: `Somebody wants Rollcall, an inventory of IT assets, to send notices to this address. If you agree, open this page within ${DAYS} days:\n\n${url}\n\nOtherwise do nothing.`,
  })
}
