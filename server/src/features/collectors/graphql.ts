import type { Schema, TypeOf } from '#platform/graphql/schema.ts'
import { collectorStates, stateOf, type Collector, type IssuedCollector } from './collector.ts'
import { createCollector, deleteCollector, listCollectors, revokeCollector } from './collectors.ts'

export function graphql(schema: Schema): void {
  const collector = addCollector(schema)
  const issued = schema.objectRef<IssuedCollector>('IssuedCollector').implement({
    fields: (t) => ({
      collector: t.field({ type: collector, resolve: (it) => it.collector }),
      secret: t.exposeString('secret', {
        description: 'Shown this once: the collector enrols with it, once, within 24 hours.',
      }),
    }),
  })
  const id = schema.args((t) => ({ id: t.id({ required: true }) }))
  schema.queryField('collectors', (t) =>
    t.field({
      type: [collector],
      description: 'Processes elsewhere that scan where the server does not reach, by name.',
      resolve: (_, __, ctx) => listCollectors(ctx),
    }),
  )
  schema.mutationFields((t) => ({
    createCollector: t.field({
      type: issued,
      args: { name: t.arg.string({ required: true }) },
      resolve: (_, input, ctx) => createCollector(ctx, input),
    }),
    revokeCollector: t.field({
      type: collector,
      description: 'Its requests are refused from now on.',
      args: id,
      resolve: (_, args, ctx) => revokeCollector(ctx, args.id),
    }),
    deleteCollector: t.field({
      type: 'ID',
      description: 'Refused while a target is scanned by it.',
      args: id,
      resolve: (_, args, ctx) => deleteCollector(ctx, args.id).then(() => args.id),
    }),
  }))
}

function addCollector(schema: Schema): TypeOf<Collector> {
  const state = schema.enumType('CollectorState', { values: collectorStates })
  return schema.objectRef<Collector>('Collector').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.exposeString('name'),
      state: t.field({
        type: state,
        description: 'Waiting: it has not enrolled yet. Online: it was heard of in the last 30 seconds.',
        resolve: (it, _, ctx) => stateOf(it, ctx.now()),
      }),
      version: t.exposeString('version'),
      address: t.exposeString('address', { description: 'From which its latest request came.' }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      enrolledAt: t.expose('enrolledAt', { type: 'DateTime', nullable: true }),
      lastSeenAt: t.expose('lastSeenAt', { type: 'DateTime', nullable: true }),
      revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true }),
      sharedAt: t.expose('sharedAt', {
        type: 'DateTime',
        nullable: true,
        description:
          'When two processes were seen with its identity last: its data folder was copied. Only one is given work.',
      }),
    }),
  })
}
