import { fromReplica } from '#platform/context.ts'
import { pageArgs, pageFrom, pageType, perItem, type Schema } from '#platform/graphql/schema.ts'
import { listEndOfLife, type EndOfLifeItem } from './lifecycles.ts'

const WITHIN_DAYS = 180

export function graphql(schema: Schema): void {
  const endOfLifeItem = schema.objectRef<EndOfLifeItem>('EndOfLife').implement({
    description: 'A system or software at or near its end of life. Dates are `YYYY-MM-DD`.',
    fields: (t) => ({
      id: t.exposeID('id'),
      kind: t.exposeString('kind', { description: '`system` or `software`.' }),
      name: t.exposeString('name', { description: 'The name it reports.' }),
      version: t.exposeString('version'),
      product: t.exposeString('product', {
        description: 'Name at endoflife.date; so are label and cycle.',
      }),
      label: t.exposeString('label'),
      cycle: t.exposeString('cycle'),
      isEnded: t.exposeBoolean('isEnded'),
      endsOn: t.string({ nullable: true, resolve: ({ endsOn }) => endsOn ?? null }),
      extendedUntil: t.string({
        nullable: true,
        description: 'End of paid extended support.',
        resolve: ({ extendedUntil }) => extendedUntil ?? null,
      }),
      latest: t.string({ nullable: true, resolve: ({ latest }) => latest ?? null }),
      assets: t.exposeInt('assets', { description: 'How many assets have it.' }),
    }),
  })
  schema.queryField('endOfLife', (t) =>
    t.field({
      type: pageType(schema, 'EndOfLifePage', endOfLifeItem),
      description:
        'Systems and software past their end of life, or within so many days of it; the earliest first.',
      args: {
        withinDays: t.arg.int({ required: true, defaultValue: WITHIN_DAYS }),
        ...pageArgs(schema),
      },
      complexity: perItem,
      resolve: (_, { withinDays, ...page }, ctx) =>
        fromReplica(ctx, (there) => listEndOfLife(there, pageFrom(page), withinDays)),
    }),
  )
}
