import { Readable } from 'node:stream'
import { Type, type Static } from 'typebox'
import { getAsset } from '#features/assets/assets.ts'
import type { Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import { route, type Reply, type Route } from '#platform/http/route.ts'
import { newUuid } from '#platform/uuid.ts'
import { lineText } from '#platform/validation/line-text.ts'
import { getContract } from '../entitlements/entitlements.ts'
import type { AttachedTo, Attachment } from './attachment.ts'
import {
  deleteAttachment,
  FILE_BYTES_MAX,
  getAttachment,
  listAttachments,
  readAttachment,
  uploadAttachment,
} from './attachments.ts'
import { fileReply } from './file-reply.ts'
import { mediaTypes } from './media-type.ts'

/** Extensions: attachments. */

const CONTENT_LENGTH_MAX = 1_000_000

const AttachmentJson = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    assetId: Type.Union([Type.String({ format: 'uuid' }), Type.Null()]),
    contractId: Type.Union([Type.String({ format: 'uuid' }), Type.Null()]),
    name: Type.String(),
    bytes: Type.Integer(),
    received: Type.Integer({ description: 'less than bytes until the last part has arrived' }),
    mediaType: Type.Union([Type.String(), Type.Null()], {
      description: 'judged by the content; null until the last part has arrived',
    }),
    sha256: Type.Union([Type.String(), Type.Null()], { description: 'null until the last part has arrived' }),
    addedBy: Type.String(),
    addedAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'Attachment' },
)

const NewAttachmentJson = Type.Object({
  name: lineText(255),
  content: Type.String({
    description: 'the file, or a part of it, in Base64 (RFC 4648, section 4); send larger files in parts',
    documentedAs: {
      pattern: '^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$',
      maxLength: CONTENT_LENGTH_MAX,
    },
  }),
  bytes: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: FILE_BYTES_MAX,
      description: 'of the whole file; those of content unless given',
    }),
  ),
  at: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: FILE_BYTES_MAX,
      description:
        'where content begins in the file; 0 unless given. A part that leaves a gap is refused with 409.',
    }),
  ),
  key: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'the same for all parts of one file; what is sent again with it is no second file',
    }),
  ),
})

const toJson = ({ digest, control: _control, ...rest }: Attachment): Static<typeof AttachmentJson> => ({
  ...rest,
  sha256: digest,
})

interface Owner {
  readonly noun: 'assets' | 'contracts'
  readonly target: (id: string) => AttachedTo
  /** Throws 404. */
  readonly find: (ctx: Ctx, id: string) => Promise<unknown>
}

const owners: readonly Owner[] = [
  { noun: 'assets', target: (assetId) => ({ assetId }), find: getAsset },
  { noun: 'contracts', target: (contractId) => ({ contractId }), find: getContract },
]

export const attachmentRoutes: readonly Route[] = [
  ...owners.flatMap(routesOf),
  route(
    'GET',
    '/attachments/:id',
    { summary: 'An extension: what is known of an attached file.', reply: AttachmentJson },
    async (ctx, { params }) => ({ json: toJson(await getAttachment(ctx, params['id'] ?? '')) }),
  ),
  route(
    'GET',
    '/attachments/:id/content',
    {
      summary: 'An extension: an attached file.',
      replyHeaders: {
        'Content-Disposition': 'Says under which name the file is to be kept.',
        ETag: 'The SHA-256 of the file.',
      },
      reply: mediaTypes.map((it) => it.replace(/;.*/, '')),
    },
    async (ctx, { params }) => fileReply(await readAttachment(ctx, params['id'] ?? '')),
  ),
  route(
    'DELETE',
    '/attachments/:id',
    {
      summary: 'An extension: deletes an attached file.',
      reply: Type.Object({ message: Type.String() }),
    },
    async (ctx, { params }) => {
      await deleteAttachment(ctx, params['id'] ?? '')
      return { json: { message: 'attachment deleted' } }
    },
  ),
]

function routesOf({ noun, target, find }: Owner): Route[] {
  const one = noun.slice(0, -1)
  return [
    route(
      'GET',
      `/${noun}/:id/attachments`,
      {
        summary: `An extension: the files attached to this ${one}, the newest first; at most 100.`,
        reply: Type.Object({ data: Type.Array(AttachmentJson) }),
      },
      async (ctx, { params }) => ({
        json: { data: (await listAttachments(ctx, target(params['id'] ?? ''))).map(toJson) },
      }),
    ),
    route(
      'POST',
      `/${noun}/:id/attachments`,
      {
        summary: `An extension: attaches a file of at most 20 MB to this ${one}, whole or in parts.`,
        body: NewAttachmentJson,
        status: 201,
        findFirst: (ctx, params) => find(ctx, params['id'] ?? ''),
        reply: AttachmentJson,
      },
      async (ctx, { params, body }): Promise<Reply> => {
        const { name, at = 0, key = newUuid(ctx.now()) } = body
        const content = decoded(body.content)
        const { bytes = content.length } = body
        const added = await uploadAttachment(ctx, {
          ...target(params['id'] ?? ''),
          name,
          key,
          at,
          bytes,
          content: Readable.from([content]),
        })
        return { json: toJson(added) }
      },
    ),
  ]
}

function decoded(text: string): Buffer {
  if (text === '' || text.length > CONTENT_LENGTH_MAX)
    throw invalid('content', `must have 1 to ${CONTENT_LENGTH_MAX} characters`)
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw invalid('content', 'is not Base64')
  return Buffer.from(text, 'base64')
}
