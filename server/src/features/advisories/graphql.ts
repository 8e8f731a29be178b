import type { Schema, TypeOf } from '#platform/graphql.ts'
import {
  listAdvisoriesOf,
  vulnerabilityFacts,
  type AdvisoryRecord,
  type VulnerabilityFacts,
} from './advisories.ts'
import type { Score } from './advisory.ts'
import { listFeeds, requestFeedSync, setFeedEnabled, type Feed } from './feeds.ts'
import type { Progress } from './feeds-store.ts'

export function graphql(schema: Schema): void {
  feedFields(schema)
  vulnerabilityFields(schema)
}

function feedType(schema: Schema): TypeOf<Feed> {
  const progress = schema.objectRef<Progress>('FeedProgress').implement({
    fields: (t) => ({
      part: t.exposeString('part'),
      records: t.exposeInt('records'),
      bytes: t.exposeFloat('bytes'),
      bytesTotal: t.exposeFloat('bytesTotal', {
        nullable: true,
        description: 'Absent where its origin does not say.',
      }),
    }),
  })
  return schema.objectRef<Feed>('Feed').implement({
    description:
      'A public feed of vulnerability data; the catalogue that feeds fill is of the whole installation.',
    fields: (t) => ({
      name: t.exposeID('name'),
      title: t.exposeString('title'),
      attribution: t.exposeString('attribution', { description: 'To be shown with what is made of it.' }),
      isEnabled: t.exposeBoolean('isEnabled'),
      isFetchable: t.exposeBoolean('isFetchable', {
        description: 'Otherwise its files are brought by hand.',
      }),
      isMirrored: t.boolean({ resolve: ({ mirrorUrl }) => mirrorUrl !== null }),
      isRunning: t.exposeBoolean('isRunning'),
      isRequested: t.exposeBoolean('isRequested'),
      records: t.exposeInt('records'),
      ageSeconds: t.exposeFloat('ageSeconds', {
        nullable: true,
        description: 'Since it was last as its origin is.',
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

function feedFields(schema: Schema): void {
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
      description: 'A process that is free to begins at once; see progress.',
      args: name,
      resolve: (_, it, ctx) => requestFeedSync(ctx, it.name),
    }),
  }))
}

function factsType(schema: Schema): TypeOf<VulnerabilityFacts> {
  const score = schema.objectRef<Score>('CvssScore').implement({
    fields: (t) => ({
      version: t.exposeString('version'),
      vector: t.exposeString('vector'),
      score: t.exposeFloat('score'),
      source: t.exposeString('source'),
    }),
  })
  const record = schema.objectRef<AdvisoryRecord>('AdvisoryRecord').implement({
    description: 'What one feed says of a vulnerability.',
    fields: (t) => ({
      feed: t.exposeString('feed'),
      id: t.exposeID('id'),
      state: t.exposeString('state'),
      severity: t.exposeString('severity', { nullable: true }),
      description: t.exposeString('description'),
      publishedAt: t.expose('publishedAt', { type: 'DateTime', nullable: true }),
      modifiedAt: t.expose('modifiedAt', { type: 'DateTime', nullable: true }),
    }),
  })
  return schema.objectRef<VulnerabilityFacts>('VulnerabilityFacts').implement({
    description: 'What is known of one vulnerability, of all feeds together.',
    fields: (t) => ({
      id: t.exposeID('id'),
      state: t.exposeString('state', { description: 'published, rejected, withdrawn or unknown' }),
      isDisputed: t.exposeBoolean('isDisputed'),
      severity: t.exposeString('severity', { nullable: true }),
      score: t.field({ type: score, nullable: true, resolve: (it) => it.score }),
      scores: t.field({ type: [score], resolve: (it) => [...it.scores] }),
      description: t.exposeString('description'),
      publishedAt: t.expose('publishedAt', { type: 'DateTime', nullable: true }),
      modifiedAt: t.expose('modifiedAt', { type: 'DateTime', nullable: true }),
      weaknesses: t.stringList({ resolve: (it) => [...it.weaknesses] }),
      references: t.stringList({ resolve: (it) => [...it.references] }),
      exploitedSince: t.string({
        nullable: true,
        description: 'YYYY-MM-DD',
        resolve: (it) => it.exploited?.addedOn,
      }),
      isUsedByRansomware: t.boolean({ resolve: (it) => it.exploited?.isByRansomware ?? false }),
      epss: t.float({ nullable: true, resolve: (it) => it.likelihood?.epss }),
      epssPercentile: t.float({ nullable: true, resolve: (it) => it.likelihood?.percentile }),
      advisories: t.field({ type: [record], resolve: (it, _, ctx) => listAdvisoriesOf(ctx, it.id) }),
    }),
  })
}

function vulnerabilityFields(schema: Schema): void {
  const facts = factsType(schema)
  schema.queryField('vulnerabilityFacts', (t) =>
    t.field({
      type: facts,
      nullable: true,
      args: { id: t.arg.id({ required: true, description: 'A CVE id, or that of an advisory.' }) },
      resolve: async (_, { id }, ctx) => {
        const found = (await vulnerabilityFacts(ctx, [id])).get(id)
        return found?.state === 'unknown' ? null : found
      },
    }),
  )
}
