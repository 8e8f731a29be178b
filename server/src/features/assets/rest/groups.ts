import { Type } from 'typebox'
import { LENGTH_MAX } from '#platform/conditions/parse.ts'
import { lineOrEmpty, lineText } from '#platform/validation/line-text.ts'
import { route, type Route } from '#platform/http/route.ts'
import { createGroup, deleteGroup, listGroups, updateGroup } from '../groups/groups.ts'

/** Extensions: groups. Their members are found with `where=group = "NAME"`. */

const NAME_LENGTH_MAX = 100
const DESCRIPTION_LENGTH_MAX = 1_000
const condition = Type.String({
  description: 'as docs/conditions.md describes them',
  documentedAs: { format: 'condition', minLength: 1, maxLength: LENGTH_MAX },
})

const GroupJson = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    description: Type.String(),
    condition: Type.String({ description: 'members are the assets for which it is true now' }),
    changedAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'AssetGroup' },
)

export const groupRoutes: readonly Route[] = [
  route(
    'GET',
    '/groups',
    {
      summary: 'An extension: groups of assets, by name.',
      reply: Type.Object({ data: Type.Array(GroupJson) }),
    },
    async (ctx) => ({ json: { data: await listGroups(ctx) } }),
  ),
  route(
    'POST',
    '/groups',
    {
      summary: 'An extension: makes a group of the assets for which a condition is true.',
      body: Type.Object({
        name: lineText(NAME_LENGTH_MAX),
        condition,
        description: Type.Optional(lineOrEmpty(DESCRIPTION_LENGTH_MAX)),
      }),
      status: 201,
      takesIdempotencyKey: true,
      reply: GroupJson,
    },
    async (ctx, { body }) => ({ json: await createGroup(ctx, body) }),
  ),
  route(
    'PATCH',
    '/groups/:id',
    {
      summary: 'An extension: changes a group; what is not given stays.',
      body: Type.Object(
        {
          name: Type.Optional(lineText(NAME_LENGTH_MAX)),
          condition: Type.Optional(condition),
          description: Type.Optional(lineOrEmpty(DESCRIPTION_LENGTH_MAX)),
        },
        { minProperties: 1 },
      ),
      reply: GroupJson,
    },
    async (ctx, { params, body }) => ({ json: await updateGroup(ctx, params['id'] ?? '', body) }),
  ),
  route(
    'DELETE',
    '/groups/:id',
    {
      summary: 'An extension: deletes a group that no other group asks about.',
      reply: Type.Object({ message: Type.String() }),
    },
    async (ctx, { params }) => {
      await deleteGroup(ctx, params['id'] ?? '')
      return { json: { message: 'group deleted' } }
    },
  ),
]
