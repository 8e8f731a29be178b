import { given, type EnumOf, type Schema } from '#platform/graphql/schema.ts'
import type { SavedView } from './saved-view.ts'
import { deleteView, listViews, saveView } from './saved-views.ts'

export function addViews(schema: Schema, subject: EnumOf<string>): void {
  const view = schema.objectRef<SavedView>('SavedView').implement({
    description: 'Condition, sort order and columns of a list that the person saved, or that another shares.',
    fields: (t) => ({
      id: t.exposeID('id'),
      subject: t.field({ type: subject, description: 'What the list is of.', resolve: (it) => it.subject }),
      name: t.exposeString('name'),
      view: t.expose('view', { type: 'JSON' }),
      isShared: t.exposeBoolean('isShared', { description: 'Everybody in the organisation has it.' }),
      isOwn: t.exposeBoolean('isOwn'),
      sharedBy: t.exposeString('sharedBy', {
        nullable: true,
        description: "Null: it is one's own, or the person has left.",
      }),
    }),
  })
  schema.queryField('savedViews', (t) =>
    t.field({
      type: [view],
      description: 'By name; of all lists that the person may read unless one is named.',
      args: { subject: t.arg({ type: subject }) },
      resolve: (_, { subject: of }, ctx) => listViews(ctx, of ?? undefined),
    }),
  )
  schema.mutationFields((t) => ({
    saveView: t.field({
      type: view,
      description:
        "Replaces the person's view of the list with the same name. Sharing it needs the permission to write what the list is of.",
      args: {
        subject: t.arg({ type: subject, required: true, defaultValue: 'asset' }),
        name: t.arg.string({ required: true }),
        view: t.arg({ type: 'JSON', required: true }),
        isShared: t.arg.boolean({ description: 'As it was unless given; not shared if it is new.' }),
      },
      resolve: (_, { subject: of, name, view: it, isShared }, ctx) =>
        saveView(ctx, { subject: of, name, view: it, ...given({ isShared }) }),
    }),
    deleteView: t.field({
      type: 'ID',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => deleteView(ctx, id).then(() => id),
    }),
  }))
}
