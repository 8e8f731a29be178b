import { canBeTried, type Schema } from '#platform/graphql/schema.ts'
import {
  forgetName,
  listRememberedNames,
  mergeByName,
  type RememberedName,
} from '../remembered-names/remembered-names.ts'
import type { AssetTypes } from './object-types.ts'

export function addRememberedNames(schema: Schema, { asset }: AssetTypes): void {
  const remembered = schema.objectRef<RememberedName>('RememberedName').implement({
    description: 'Phones of this name are one device, whatever random MAC addresses they have.',
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.exposeString('name'),
      scope: t.exposeString('scope', { description: 'The network in which it counts.' }),
      reason: t.exposeString('reason'),
      by: t.exposeString('by', { description: 'Kind and id of who said so.' }),
      at: t.expose('at', { type: 'DateTime' }),
    }),
  })
  schema.queryField('rememberedNames', (t) =>
    t.field({ type: [remembered], resolve: (_, __, ctx) => listRememberedNames(ctx) }),
  )
  schema.mutationFields((t) => ({
    mergeAssetsByName: t.field({
      ...canBeTried,
      type: asset,
      description:
        'Merges two phones that take random MAC addresses, and from now on all of their name in their network; returns the survivor.',
      args: {
        assetIdA: t.arg.id({ required: true }),
        assetIdB: t.arg.id({ required: true }),
        reason: t.arg.string({ required: true, defaultValue: 'manual' }),
      },
      resolve: (_, merge, ctx) => mergeByName(ctx, merge),
    }),
    forgetName: t.field({
      ...canBeTried,
      type: 'ID',
      description: 'What was one by this name alone is several assets again, each with the id that it had.',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => forgetName(ctx, id).then(() => id),
    }),
  }))
}
