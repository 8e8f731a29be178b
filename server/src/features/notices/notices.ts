/** Notices: what people are told by mail, in chat rooms and on phones, through an outbox that survives crashes. */
import { userNames } from '#features/tenancy/tenancy.ts'
import { permit, type Ctx } from '#platform/context.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import * as store from './delivery/outbox-store.ts'
import type { NoticeDelivery, RecipientRef } from './notice.ts'

export { enqueueNotice, type NewNotice, type Recipient } from './enqueue-notice.ts'
export { namedRecipients } from './named-recipients.ts'
export {
  createChannel,
  deleteChannel,
  getChannel,
  listChannels,
  testChannel,
  updateChannel,
  type ChannelTest,
  type ChannelWithSecret,
} from './channels/channels.ts'

/** Newest first. */
export async function listNoticeDeliveries(ctx: Ctx, page: Page): Promise<Listed<NoticeDelivery>> {
  permit(ctx, 'notices:read')
  const { items, total } = await store.list(ctx, page)
  const ids = items
    .filter(({ recipientKind }) => recipientKind === 'member')
    .map(({ recipient }) => recipient)
  const names = await userNames(ctx, ids)
  return { total, items: items.map((it) => ({ ...it, recipient: names.get(it.recipient) ?? it.recipient })) }
}

/** For whoever shows subscriptions: of these topics, those that the recipient wants no more of. */
export function unsubscribedTopics(
  ctx: Ctx,
  recipient: RecipientRef,
  topics: readonly string[],
): Promise<ReadonlySet<string>> {
  return store.unsubscribedFrom(ctx, recipient, topics)
}

/** Takes an unsubscription back, because the recipient asked for it. */
export function resubscribe(ctx: Ctx, recipient: RecipientRef, topic: string): Promise<void> {
  return store.resubscribe(ctx, recipient, topic)
}
