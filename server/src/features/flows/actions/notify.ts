import { Type } from 'typebox'
import { enqueueNotice, type Recipient } from '#features/notices/notices.ts'
import type { InnerAction } from './action.ts'

/** Written into the outbox of notices with the move of the run, under a key of run, step and item: it is sent once. */
export const notifyAction: InnerAction = {
  name: 'notify',
  kind: 'inner',
  label: 'Tell people',
  sentence: 'Sends a notice to members, by mail, or to channels such as a chat room.',
  settings: Type.Object({
    to: Type.Array(Type.String({ minLength: 1, maxLength: 254 }), {
      title: 'To',
      description: 'addresses of members, and channels',
      pick: 'recipient',
      minItems: 1,
      maxItems: 20,
    }),
    subject: Type.String({ title: 'Subject', minLength: 1, maxLength: 500 }),
    text: Type.Optional(Type.String({ title: 'Text', maxLength: 10_000 })),
  }),
  templates: ['to', 'subject', 'text'],
  outputs: ['recipients'],
  permission: 'notices:read',
  async run(ctx, settings, { idempotencyKey, values, assetId }) {
    const { to, subject, text = '' } = settings as { to: string[]; subject: string; text?: string }
    const { flow_id: flowId } = values['run'] as { flow_id: string }
    const recipients = await enqueueNotice(ctx, {
      dedupeKey: `flow:${idempotencyKey}`,
      recipients: to.map((it): Recipient => (it.includes('@') ? { email: it } : { channelId: it })),
      topic: `flow:${flowId}`,
      subject,
      text: text || subject,
      ...(assetId !== undefined && { link: `/assets/${assetId}` }),
    })
    return { recipients }
  },
}
