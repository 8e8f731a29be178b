import type { Schema } from '#platform/graphql/schema.ts'
import { countMatches, type EventMatches } from '../definition/count-matches.ts'
import { pastEvents, type PastFlowEvent } from '../running/past-events.ts'

export function addPastEvents(schema: Schema): void {
  const event = schema.objectRef<PastFlowEvent>('PastFlowEvent').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      type: t.exposeString('type'),
      occurredAt: t.expose('occurredAt', { type: 'DateTime' }),
      payload: t.field({ type: 'JSON', resolve: ({ payload }) => payload }),
      before: t.field({
        type: 'JSON',
        nullable: true,
        description: 'What it told of its asset before the change.',
        resolve: ({ before }) => before,
      }),
    }),
  })
  const matches = schema.objectRef<EventMatches>('FlowEventMatches').implement({
    fields: (t) => ({
      events: t.exposeInt('events', { description: 'Of the last 30 days, the newest 200 at most.' }),
      matching: t.exposeInt('matching'),
    }),
  })
  schema.queryFields((t) => ({
    flowEventMatches: t.field({
      type: matches,
      nullable: true,
      description: 'How many of the newest events a condition lets through; null for other triggers.',
      args: { trigger: t.arg({ type: 'JSON', required: true }), condition: t.arg.string({ required: true }) },
      resolve: (_, { trigger, condition }, ctx) => countMatches(ctx, trigger, condition),
    }),
    pastFlowEvents: t.field({
      type: [event],
      description: 'The newest 20 events of the types, with which a flow can be tested.',
      args: { types: t.arg.stringList({ required: true }) },
      resolve: (_, { types }, ctx) => pastEvents(ctx, types),
    }),
  }))
}
