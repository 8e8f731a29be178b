import { Type } from 'typebox'
import { notFound } from '../../../src/platform/errors.ts'
import type { Feature } from '../../../src/platform/feature.ts'
import { listReply, parsePage, pageQuery } from '../../../src/platform/http/paging.ts'
import { route } from '../../../src/platform/http/route.ts'

const Thing = Type.Object({ id: Type.String() })

const NewThing = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    kind: Type.Optional(Type.Union([Type.Literal('big'), Type.Literal('small')])),
    size: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
    parts: Type.Optional(Type.Array(Type.Object({ 'a/b': Type.String() }), { maxItems: 2 })),
    days: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Null()])),
    partOf: Type.Optional(Type.String({ format: 'uuid' })),
    extra: Type.Optional(Type.Unknown()),
  },
  { additionalProperties: false },
)

/** A feature that exists in tests alone: endpoints of every kind that echo what reached them. */
export const things: Feature = {
  name: 'things',
  tables: {},
  rest: [
    route(
      'GET',
      '/things',
      {
        summary: 'List things',
        query: Type.Object({ ...pageQuery, q: Type.Optional(Type.String()) }),
        reply: Thing,
      },
      async (_, { query }) =>
        listReply(parsePage(query), { items: [query.q ?? ''], total: 101 }, (q) => ({ q })),
    ),
    route('GET', '/things/:id', { summary: 'Get a thing', reply: Thing }, async (_, { params }) => {
      if (params.id?.startsWith('0')) throw notFound('thing')
      return { json: { id: params.id } }
    }),
    route(
      'POST',
      '/things',
      { summary: 'Make a thing', body: NewThing, reply: Thing, status: 201 },
      async (ctx, { body }) => ({ json: { body, tenant: ctx.tenantId, actor: ctx.actor } }),
    ),
    route('PUT', '/things/:id', { summary: 'Put a thing', reply: Thing }, async () => ({ json: {} })),
    route('DELETE', '/things/:id', { summary: 'Delete a thing', reply: Thing }, async () => ({ json: {} })),
    route('GET', '/things/export', { summary: 'Export', reply: 'text/csv' }, async () => ({
      file: { mediaType: 'text/csv', content: 'id\n1\n' },
      headers: { 'content-disposition': 'attachment; filename="things.csv"', etag: '"v1"' },
    })),
    route('GET', '/things/crash', { summary: 'Crash', reply: Thing }, async () => {
      throw new Error('the secret reason')
    }),
    route('POST', '/recognition/things', { summary: 'Recognise', reply: Thing }, async () => ({ json: {} })),
    route('GET', '/recognition/things', { summary: 'Kinds', reply: Thing }, async () => ({ json: {} })),
  ],
}
