import { given, type Schema } from '#platform/graphql/schema.ts'
import type { Attachment } from './attachment.ts'
import { deleteAttachment, listAttachments } from './attachments.ts'

export function addAttachments(schema: Schema): void {
  const attachment = schema.objectRef<Attachment>('Attachment').implement({
    description:
      'A file that people attached to an asset, a contract or a control of a framework; its content is at `/files/attachment?id=`.',
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.exposeString('name'),
      bytes: t.exposeInt('bytes'),
      mediaType: t.exposeString('mediaType', { nullable: true, description: 'Judged by the content.' }),
      digest: t.exposeString('digest', { nullable: true, description: 'SHA-256 in hexadecimal.' }),
      addedBy: t.exposeString('addedBy'),
      addedAt: t.expose('addedAt', { type: 'DateTime' }),
    }),
  })
  schema.queryField('attachments', (t) =>
    t.field({
      type: [attachment],
      description: 'Of an asset, a contract or a control, the newest first; at most 100.',
      args: {
        assetId: t.arg.id(),
        contractId: t.arg.id(),
        control: t.arg.string({ description: 'Such as `nist-csf-2.0 GV.PO-01`.' }),
      },
      resolve: (_, target, ctx) => listAttachments(ctx, given(target)),
    }),
  )
  schema.mutationField('deleteAttachment', (t) =>
    t.field({
      type: 'ID',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => deleteAttachment(ctx, id).then(() => id),
    }),
  )
}
