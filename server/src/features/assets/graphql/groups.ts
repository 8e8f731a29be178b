import type { Schema } from '#platform/graphql/schema.ts'
import type { AssetGroup } from '../groups/group.ts'
import { createGroup, deleteGroup, listGroups, updateGroup } from '../groups/groups.ts'

export function addGroups(schema: Schema): void {
  const group = schema.objectRef<AssetGroup>('AssetGroup').implement({
    description: 'A condition with a name. Its members: assets(filter: { where: "group = NAME" }).',
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.exposeString('name'),
      description: t.exposeString('description'),
      condition: t.exposeString('condition'),
      changedAt: t.expose('changedAt', { type: 'DateTime' }),
    }),
  })
  schema.queryField('assetGroups', (t) =>
    t.field({ type: [group], description: 'By name.', resolve: (_, __, ctx) => listGroups(ctx) }),
  )
  schema.mutationFields((t) => ({
    createAssetGroup: t.field({
      type: group,
      args: {
        name: t.arg.string({ required: true }),
        condition: t.arg.string({ required: true }),
        description: t.arg.string({ required: true, defaultValue: '' }),
      },
      resolve: (_, input, ctx) => createGroup(ctx, input),
    }),
    updateAssetGroup: t.field({
      type: group,
      description: 'What is not given stays. Stored conditions go on finding it by the names that it had.',
      args: {
        id: t.arg.id({ required: true }),
        name: t.arg.string(),
        condition: t.arg.string(),
        description: t.arg.string(),
      },
      resolve: (_, { id, name, condition, description }, ctx) =>
        updateGroup(ctx, id, {
          ...(name != null && { name }),
          ...(condition != null && { condition }),
          ...(description != null && { description }),
        }),
    }),
    deleteAssetGroup: t.field({
      type: 'ID',
      description: 'Refused while another group asks about it.',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => deleteGroup(ctx, id).then(() => id),
    }),
  }))
}
