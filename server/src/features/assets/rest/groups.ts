import { Type, type Static } from 'typebox'
import { route, type Route } from '#platform/http/route.ts'
import type { AssetGroup } from '../groups/group.ts'
import { createGroup, deleteGroup, listGroups, updateGroup } from '../groups/groups.ts'

/** Extensions: groups. Their members are found with `where=group = "NAME"`. */

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

const toJson = ({ id, name, description, condition, changedAt }: AssetGroup): Static<typeof GroupJson> => ({
  id,
  name,
  description,
  condition,
  changedAt,
})

export const groupRoutes: readonly Route[] = [
  route(
    'GET',
    '/groups',
    {
      summary: 'An extension: groups of assets, by name.',
      reply: Type.Object({ data: Type.Array(GroupJson) }),
    },
    async (ctx) => ({ json: { data: (await listGroups(ctx)).map(toJson) } }),
  ),
  route(
    'POST',
    '/groups',
    {
      summary: 'An extension: makes a group of the assets for which a condition is true.',
      body: Type.Object({
        name: Type.String(),
        condition: Type.String(),
        description: Type.Optional(Type.String()),
      }),
      status: 201,
      takesIdempotencyKey: true,
      reply: GroupJson,
    },
    async (ctx, { body }) => ({ json: toJson(await createGroup(ctx, body)) }),
  ),
  route(
    'PATCH',
    '/groups/:id',
    {
      summary: 'An extension: changes a group; what is not given stays.',
      body: Type.Object({
        name: Type.Optional(Type.String()),
        condition: Type.Optional(Type.String()),
        description: Type.Optional(Type.String()),
      }),
      reply: GroupJson,
    },
    async (ctx, { params, body }) => ({ json: toJson(await updateGroup(ctx, params['id'] ?? '', body)) }),
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
