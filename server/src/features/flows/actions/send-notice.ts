import { Type } from 'typebox'
import { enqueueNotice, namedRecipients } from '#features/notices/notices.ts'
import type { InnerAction } from './action.ts'

export const sendNoticeAction: InnerAction = {
  name: 'send_notice',
  kind: 'inner',
  label: 'Send a notice',
  sentence: 'Tells people by mail, or a chat room or phone through a channel.',
  settings: Type.Object({
    to: Type.Array(Type.String({ minLength: 1 }), {
      title: 'To',
      description: 'me, addresses of members, and names of channels',
      pick: 'recipient',
      minItems: 1,
      maxItems: 20,
    }),
    subject: Type.String({ title: 'Subject', minLength: 1, maxLength: 200 }),
    text: Type.Optional(Type.String({ title: 'Text', maxLength: 10_000 })),
  }),
  templates: ['to', 'subject', 'text'],
  outputs: ['recipients'],
  permission: 'notices:write',
  async run(ctx, settings, { idempotencyKey, assetId, values }) {
    const { to, subject, text = '' } = settings as { to: string[]; subject: string; text?: string }
    const { flow_id: flowId } = values['run'] as { flow_id: string }
    const recipients = await enqueueNotice(ctx, {
      dedupeKey: `flow:${idempotencyKey}`,
      topic: `flow:${flowId}`,
      recipients: await namedRecipients(ctx, 'to', to),
      subject,
      text,
      link: assetId === undefined ? `/flows/${flowId}` : `/assets/${assetId}`,
    })
    return { recipients }
  },
}
