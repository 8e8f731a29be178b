import type { Schema, TypeOf } from '#platform/graphql/schema.ts'
import { listFeeds, requestFeedSync, setFeedEnabled, type Feed, type Progress } from './feeds/feeds.ts'

export function graphql(schema: Schema): void {
  const feed = feedType(schema)
  const name = schema.args((t) => ({ name: t.id({ required: true }) }))
  schema.queryField('feeds', (t) => t.field({ type: [feed], resolve: (_, __, ctx) => listFeeds(ctx) }))
  schema.mutationFields((t) => ({
    setFeedEnabled: t.field({
      type: feed,
      args: { ...name, enabled: t.arg.boolean({ required: true }) },
      resolve: (_, it, ctx) => setFeedEnabled(ctx, it.name, it.enabled),
    }),
    syncFeed: t.field({
      type: feed,
      description: 'Starts in the background; see `progress`.',
      args: name,
      resolve: (_, it, ctx) => requestFeedSync(ctx, it.name),
    }),
  }))
}

function feedType(schema: Schema): TypeOf<Feed> {
  const progress = schema.objectRef<Progress>('FeedProgress').implement({
    fields: (t) => ({
      part: t.exposeString('part'),
      records: t.exposeInt('records'),
      bytes: t.exposeFloat('bytes'),
      bytesTotal: t.exposeFloat('bytesTotal', {
        nullable: true,
        description: 'Absent when the upstream gives no length.',
      }),
    }),
  })
  return schema.objectRef<Feed>('Feed').implement({
    description:
      'A public feed of vulnerability data; the catalogue that feeds fill is of the whole installation.',
    fields: (t) => ({
      name: t.exposeID('name'),
      title: t.exposeString('title'),
      attribution: t.exposeString('attribution', { description: 'Attribution to display with the data.' }),
      isEnabled: t.exposeBoolean('isEnabled'),
      isFetchable: t.exposeBoolean('isFetchable', {
        description: 'False: its files are loaded manually.',
      }),
      isMirrored: t.boolean({ resolve: ({ mirrorUrl }) => mirrorUrl !== null }),
      isRunning: t.exposeBoolean('isRunning'),
      isRequested: t.exposeBoolean('isRequested'),
      records: t.exposeInt('records'),
      isSample: t.exposeBoolean('isSample', {
        description: 'All records are samples for demos; they count for nobody else.',
      }),
      ageSeconds: t.exposeFloat('ageSeconds', {
        nullable: true,
        description: 'Seconds since the last successful sync.',
      }),
      syncedAt: t.expose('syncedAt', { type: 'DateTime', nullable: true }),
      startedAt: t.expose('startedAt', { type: 'DateTime', nullable: true }),
      nextAt: t.expose('nextAt', { type: 'DateTime', nullable: true }),
      failures: t.exposeInt('failures', { description: 'In a row.' }),
      lastError: t.exposeString('lastError', { nullable: true }),
      progress: t.field({ type: progress, nullable: true, resolve: (it) => it.progress }),
    }),
  })
}
