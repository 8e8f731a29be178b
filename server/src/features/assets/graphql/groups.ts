import { canBeTried, type Schema } from '#platform/graphql/schema.ts'
import type { AssetGroup } from '../groups/group.ts'
import { listGroupUses, type GroupUse } from '../groups/group-uses.ts'
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
  addUses(schema)
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
      ...canBeTried,
      type: 'ID',
      description: 'Refused while another group, a role or an API key asks about it.',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => deleteGroup(ctx, id).then(() => id),
    }),
  }))
}

function addUses(schema: Schema): void {
  const use = schema.objectRef<GroupUse>('AssetGroupUse').implement({
    description: 'A stored condition that asks about a group.',
    fields: (t) => ({
      groupId: t.exposeID('groupId'),
      kind: t.exposeString('kind', {
        description:
          'What has the condition: group, view, role, api_key, override, check, flow or notice_rule.',
      }),
      id: t.exposeID('id'),
      name: t.exposeString('name', {
        description: 'Empty where it is a person’s own, or the actor may not read it.',
      }),
    }),
  })
  schema.queryField('assetGroupUses', (t) =>
    t.field({ type: [use], description: 'Of all groups.', resolve: (_, __, ctx) => listGroupUses(ctx) }),
  )
}
