import { record } from '#features/audit/audit.ts'
import { atomically, systemActor, type Ctx } from '#platform/context.ts'
import type { ProtocolReply, ProtocolRequest, ProtocolRoute } from '#platform/protocols/protocol-routes.ts'
import * as channels from './channels/channel-store.ts'
import { unsubscribe } from './delivery/outbox-store.ts'
import { LINK_PATH, readLink, type SubscriptionLink } from './delivery/subscription-links.ts'

/**
 * What links in mails lead to. A GET shows a button, because mail scanners follow links; a POST acts (RFC 8058). The
 * sealed token is the authentication.
 */
export const protocols: readonly ProtocolRoute[] = [
  { path: `${LINK_PATH}/unsubscribe/:token`, handle: (request) => answer(request, 'unsubscribe') },
  { path: `${LINK_PATH}/confirm/:token`, handle: (request) => answer(request, 'confirm') },
]

const TEXTS = {
  unsubscribe: {
    question: 'No more of these notices?',
    button: 'Unsubscribe',
    done: 'You will get no more of these notices.',
  },
  confirm: {
    question: 'May Rollcall send notices to this address?',
    button: 'Agree',
    done: 'Notices will arrive at this address from now on.',
  },
} as const

async function answer(request: ProtocolRequest, action: SubscriptionLink['action']): Promise<ProtocolReply> {
  const link = readLink(request.system, action, request.params['token'] ?? '')
  const { question, button, done } = TEXTS[action]
  if (!link) return page(404, 'This link is not valid any more.')
  if (request.method === 'GET')
    return page(200, `${question}</p><form method="post"><button>${button}</button></form><p>`)
  const ctx = request.contextFor(link.tenantId, systemActor('subscription link'))
  return (await act(ctx, link)) ? page(200, done) : page(404, 'This link is not valid any more.')
}

async function act(ctx: Ctx, { action, recipient, topic }: SubscriptionLink): Promise<boolean> {
  return atomically(ctx, async (inner) => {
    if (action === 'unsubscribe') {
      await unsubscribe(inner, recipient, topic)
      return true
    }
    const subject = { type: 'notice_channel', id: recipient.id }
    if (!(await channels.setConfirmed(inner, recipient.id, inner.now()))) return false
    await record(inner, 'notice_channel.confirmed', subject)
    return true
  })
}

const page = (status: number, content: string): ProtocolReply => ({
  status,
  mediaType: 'text/html; charset=utf-8',
  headers: {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  },
  content: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>Rollcall</title></head><body><h1>Rollcall</h1><p>${content}</p></body></html>`,
})
