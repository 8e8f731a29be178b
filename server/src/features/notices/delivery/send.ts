import { tenantSlug, memberPermissions } from '#features/tenancy/tenancy.ts'
import { failureOf, sendSigned } from '#features/webhooks/webhooks.ts'
import type { Ctx } from '#platform/context.ts'
import { MailFailure } from '#platform/egress/mailer.ts'
import { unreachable } from '#platform/errors.ts'
import type { ChannelKind, ChannelSettings } from '../channels/channel.ts'
import * as channels from '../channels/channel-store.ts'
import { openSettings, topicOf } from '../channels/channel-settings.ts'
import * as chat from '../formats/chat-payloads.ts'
import { withEllipsis } from '../formats/escaping.ts'
import { mailBody } from '../formats/mail-body.ts'
import type { NoticeText, RecipientRef } from '../notice.ts'
import { attachmentContent, type DueDelivery } from './outbox-store.ts'
import { linkUrl } from './subscription-links.ts'

/** `retry`: perhaps later; `failed`: never; `dropped`: nobody wants it or may get it any more. */
export type Sent =
  | { readonly outcome: 'sent' }
  | {
      readonly outcome: 'retry' | 'failed' | 'dropped'
      readonly error: string
      /** How long the receiver asks to be left alone. */
      readonly afterSeconds?: number
    }

/** Under which topic the question goes whether an address agrees to get notices. */
export const CONFIRMATION_TOPIC = 'confirmation'

const POST_MS = 10_000
const RETRY_AFTER_SECONDS_MAX = 15 * 60
const LINES_MAX = 10
const SUBJECT_LENGTH_MAX = 200
const NO_MAIL = 'this server sends no mail; its operator can set SMTP_URL'

/** One attempt. Never throws for what a receiver does. Not inside a transaction. */
export async function sendDelivery(ctx: Ctx, due: DueDelivery): Promise<Sent> {
  const { recipientKind, recipientId } = due
  if (recipientKind === 'member') {
    const member = await memberPermissions(ctx, recipientId)
    if (!member) return { outcome: 'dropped', error: 'no longer a member' }
    return sendMail(ctx, due, member.email)
  }
  const channel = await channels.find(ctx, recipientId)
  const sealed = await channels.sealedSettings(ctx, recipientId)
  if (!channel || !sealed) return { outcome: 'dropped', error: 'the channel was removed' }
  const { kind } = channel
  if (!channel.active) return { outcome: 'dropped', error: 'the channel is switched off' }
  const settings = openSettings(ctx, recipientId, sealed)
  if (kind !== 'mail') return sendToChat(ctx, { kind, settings, due })
  if (channel.confirmedAt === null && due.topic !== CONFIRMATION_TOPIC)
    return { outcome: 'dropped', error: 'the address was never confirmed' }
  return sendMail(ctx, due, settings.address ?? '')
}

/** The link as an address that works outside of the app. */
async function textOf(ctx: Ctx, { subject, text, link }: DueDelivery): Promise<NoticeText> {
  const url = link === null ? null : `${ctx.publicUrl}/t/${await tenantSlug(ctx)}${link}`
  return { subject, text, url }
}

async function sendMail(ctx: Ctx, due: DueDelivery, to: string): Promise<Sent> {
  if (!ctx.mailer) return { outcome: 'retry', error: NO_MAIL }
  const recipient: RecipientRef = { kind: due.recipientKind, id: due.recipientId }
  const unsubscribeUrl =
    due.topic === CONFIRMATION_TOPIC
      ? undefined
      : linkUrl(ctx, { action: 'unsubscribe', tenantId: ctx.tenantId, recipient, topic: due.topic })
  const content = due.attachment && (await attachmentContent(ctx, due.id))
  const body = mailBody(await textOf(ctx, due), unsubscribeUrl)
  try {
    await ctx.mailer.send({
      to,
      subject: due.subject,
      ...body,
      messageId: `${due.deliveryId}@${new URL(ctx.publicUrl).hostname}`,
      ...(unsubscribeUrl !== undefined && { unsubscribeUrl }),
      ...(due.attachment && content && { attachment: { ...due.attachment, content } }),
    })
    return { outcome: 'sent' }
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error
    return { outcome: error.isFinal ? 'failed' : 'retry', error: error.message }
  }
}

/** Several notices under one topic as one: how many there are, and the first lines. */
export function gathered(all: readonly DueDelivery[]): DueDelivery {
  const [first] = all
  if (!first) throw new Error('nothing to send')
  if (all.length === 1) return first
  const lines = all.slice(0, LINES_MAX).map(({ subject }) => `- ${subject}`)
  const rest = all.length - lines.length
  return {
    ...first,
    subject: withEllipsis(`${all.length}: ${first.subject}`, SUBJECT_LENGTH_MAX),
    text: [...lines, ...(rest > 0 ? [`… and ${rest} more`] : [])].join('\n'),
    // the notices of one topic lead to different places
    link: all.every(({ link }) => link === first.link) ? first.link : '/notices',
  }
}

interface ChatDelivery {
  readonly kind: Exclude<ChannelKind, 'mail'>
  readonly settings: ChannelSettings
  readonly due: DueDelivery
}

async function sendToChat(ctx: Ctx, delivery: ChatDelivery): Promise<Sent> {
  const { settings } = delivery
  const text = await textOf(ctx, delivery.due)
  const answer =
    delivery.kind === 'generic'
      ? await postSigned(ctx, delivery, text)
      : await ctx.net.post({
          ...requestOf(delivery, text),
          ...(settings.token !== undefined && {
            originHeaders: { authorization: `Bearer ${settings.token}` },
          }),
          headers: { 'content-type': 'application/json', 'user-agent': 'Rollcall' },
          budgetMs: POST_MS,
        })
  const error = failureOf(answer)
  if (error === null) return { outcome: 'sent' }
  const { retryAfterSeconds = 0 } = answer
  return { outcome: 'retry', error, afterSeconds: Math.min(retryAfterSeconds, RETRY_AFTER_SECONDS_MAX) }
}

function requestOf({ kind, settings }: ChatDelivery, text: NoticeText): { url: URL; body: Buffer } {
  const url = new URL(settings.url ?? '')
  const json = (body: unknown, to = url) => ({ url: to, body: Buffer.from(JSON.stringify(body)) })
  switch (kind) {
    case 'slack':
      return json(chat.slackPayload(text))
    case 'mattermost':
      return json(chat.mattermostPayload(text))
    case 'discord':
      return json(chat.discordPayload(text))
    case 'teams':
      return json(chat.teamsPayload(text))
    case 'ntfy':
      return json(chat.ntfyPayload(text, topicOf(url)), new URL('.', url))
    case 'generic':
      throw new Error('is signed')
    default:
      return unreachable(kind)
  }
}

function postSigned(ctx: Ctx, { settings, due }: ChatDelivery, { subject, text, url }: NoticeText) {
  const body = { id: due.deliveryId, tenant_id: ctx.tenantId, subject, text, url, created_at: due.createdAt }
  return sendSigned(ctx, {
    url: settings.url ?? '',
    secret: settings.secret ?? '',
    eventType: 'notice',
    eventId: due.deliveryId,
    body: Buffer.from(JSON.stringify(body)),
    headers: {},
  })
}
