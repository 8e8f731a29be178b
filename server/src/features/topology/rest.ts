import { Type, type Static } from 'typebox'
import { getAsset } from '#features/assets/assets.ts'
import { route, type Route } from '#platform/http/route.ts'
import { linkKinds, relationKinds, type AssetRelation } from './relation.ts'
import { addRelation, NOTE_LENGTH_MAX, relationsOf, removeRelation } from './topology.ts'

/** Extensions: relations of assets. */

const idOrNull = Type.Union([Type.String({ format: 'uuid' }), Type.Null()])

const RelationJson = Type.Object(
  {
    id: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
      description: 'of a recorded relation; null for what scans report',
    }),
    kind: Type.Enum([...relationKinds, ...linkKinds]),
    direction: Type.Enum(['out', 'in'], { description: 'out: this asset runs on, depends on … the other' }),
    otherId: idOrNull,
    other: Type.String({ description: 'the name of the other asset, or the other end as it was reported' }),
    port: Type.String(),
    otherPort: Type.String(),
    note: Type.String(),
    by: Type.Union([Type.String(), Type.Null()], {
      description: 'who recorded it; null for what scans report',
    }),
    firstSeen: Type.String({ format: 'date-time' }),
    lastSeen: Type.String({ format: 'date-time' }),
  },
  { $id: 'AssetRelation' },
)

const toJson = ({
  vlan: _vlan,
  observationId: _id,
  ...relation
}: AssetRelation): Static<typeof RelationJson> => relation

export const rest: readonly Route[] = [
  route(
    'GET',
    '/assets/:id/relations',
    {
      summary: 'An extension: what the asset runs on, depends on and is connected to; recorded ones first.',
      reply: Type.Object({ data: Type.Array(RelationJson) }),
    },
    async (ctx, { params }) => ({
      json: { data: (await relationsOf(ctx, params['id'] ?? '')).map(toJson) },
    }),
  ),
  route(
    'POST',
    '/assets/:id/relations',
    {
      summary: 'An extension: records a relation of this asset to another.',
      body: Type.Object({
        kind: Type.Enum([...relationKinds]),
        toId: Type.String({ format: 'uuid' }),
        note: Type.Optional(
          Type.String({
            documentedAs: { pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$', maxLength: NOTE_LENGTH_MAX },
          }),
        ),
      }),
      status: 201,
      findFirst: (ctx, params) => getAsset(ctx, params['id'] ?? ''),
      reply: RelationJson,
    },
    async (ctx, { params, body }) => ({
      json: toJson(await addRelation(ctx, { fromId: params['id'] ?? '', ...body })),
    }),
  ),
  route(
    'DELETE',
    '/relations/:id',
    {
      summary: 'An extension: takes a recorded relation away.',
      reply: Type.Object({ message: Type.String() }),
    },
    async (ctx, { params }) => {
      await removeRelation(ctx, params['id'] ?? '')
      return { json: { message: 'relation removed' } }
    },
  ),
]
