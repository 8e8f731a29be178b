import { fromReplica } from '#platform/context.ts'
import type { VulnerabilityFacts } from '#features/advisories/advisories.ts'
import {
  given,
  pageArgs,
  pageFrom,
  pageType,
  perItem,
  type Field,
  type FieldMaker,
  type Schema,
  type TypeOf,
} from '#platform/graphql/schema.ts'
import type { Listed } from '#platform/http/paging.ts'
import {
  searchFindings,
  cvePage,
  getFindingDetail,
  findingsOverview,
  type CvePage,
  type FindingDetail,
  type FindingsOverview,
} from '../findings/search.ts'
import type { ListedFinding } from '../findings/finding.ts'
import type { FindingGroup } from '../findings/finding-group.ts'
import { findingGroups } from '../findings/groups.ts'
import { findingFields, type VulnerabilityTypes } from './finding-types.ts'

/** Returns the type of a page of findings. */
export function addQueries(schema: Schema, types: VulnerabilityTypes): TypeOf<Listed<ListedFinding>> {
  const page = pageType(schema, 'FindingPage', types.finding)
  addList(schema, types, page)
  addDetail(schema, types)
  const count = addCount(schema, types)
  addCve(schema, types, count)
  addOverview(schema, types, count)
  addGroups(schema)
  return page
}

function addList(schema: Schema, types: VulnerabilityTypes, page: TypeOf<Listed<ListedFinding>>): void {
  const filter = schema.inputType('FindingFilter', {
    fields: (t) => ({
      status: t.field({ type: types.status, description: 'Absent: any status.' }),
      severity: t.field({ type: types.severity }),
      cveId: t.string(),
      assetId: t.id(),
      isExploited: t.boolean({ description: 'Known to be exploited, by a KEV catalogue or SSVC, or not.' }),
      matchType: t.field({ type: types.grade }),
      hasFix: t.boolean(),
      cvssMin: t.float(),
      where: t.string({ description: 'A condition, as docs/conditions.md describes them.' }),
      search: t.string({
        description: 'In the CVE’s id, the software, or what names the asset, whatever its case.',
      }),
    }),
  })
  schema.queryField('findings', (t) =>
    t.field({
      type: page,
      args: {
        filter: t.arg({ type: filter }),
        sort: t.arg({ type: types.sort, required: true, defaultValue: 'score' }),
        ascending: t.arg.boolean({ required: true, defaultValue: false }),
        ...pageArgs(schema),
      },
      complexity: perItem,
      resolve: (_, { filter: wanted, sort, ascending, ...page }, ctx) =>
        searchFindings(ctx, pageFrom(page), {
          ...given(wanted ?? {}),
          sort,
          direction: ascending ? 'asc' : 'desc',
        }),
    }),
  )
}

function addGroups(schema: Schema): void {
  const group = schema.objectRef<FindingGroup>('FindingGroup').implement({
    fields: (t) => ({
      value: t.exposeString('value', { nullable: true, description: 'Null: unknown.' }),
      findings: t.exposeInt('findings'),
      assets: t.exposeInt('assets'),
      maxCvss: t.exposeFloat('maxCvss'),
      isExploited: t.exposeBoolean('isExploited', {
        description: 'One of them is known to be, by a KEV catalogue or SSVC.',
      }),
      riskShare: t.exposeFloat('riskShare', {
        description:
          'Its part, 0 to 1, of the risk of all groups: weights of findings times factors of their assets, added up.',
      }),
    }),
  })
  schema.queryField('findingGroups', (t) =>
    t.field({
      type: pageType(schema, 'FindingGroupPage', group),
      description:
        'Findings by a value that they have in common; those with the most risk first, the unknown value last.',
      args: {
        by: t.arg.string({
          required: true,
          defaultValue: 'cve',
          description:
            'fix (software in a version, and the version that fixes all of it), or a field of conditions on findings: cve, product, asset.os.',
        }),
        where: t.arg.string({
          required: true,
          defaultValue: '',
          description: 'A condition on findings; of open ones, unless it asks about the status.',
        }),
        ...pageArgs(schema),
      },
      complexity: perItem,
      resolve: (_, { by, where, ...page }, ctx) => findingGroups(ctx, pageFrom(page), { by, where }),
    }),
  )
}

function addDetail(schema: Schema, types: VulnerabilityTypes): void {
  const detail = schema.objectRef<FindingDetail>('FindingDetail').implement({
    fields: (t) => ({
      ...findingFields(types)(t as never),
      attributions: t.field({
        type: [types.attribution],
        description: 'All attributions: active ones first, by confidence.',
        resolve: (it) => it.attributions,
      }),
      history: t.field({ type: [types.turn], description: 'The newest first.', resolve: (it) => it.history }),
    }),
  })
  schema.queryField('finding', (t) =>
    t.field({
      type: detail,
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => getFindingDetail(ctx, id),
    }),
  )
}

type Count = CvePage['counts'][number]

const addCount = (schema: Schema, types: VulnerabilityTypes): TypeOf<Count> =>
  schema.objectRef<Count>('FindingCount').implement({
    fields: (t) => ({
      status: t.expose('status', { type: types.status }),
      severity: t.expose('severity', { type: types.severity }),
      count: t.exposeInt('count'),
    }),
  })

function addCve(schema: Schema, types: VulnerabilityTypes, count: TypeOf<Count>): void {
  const score = schema.objectRef<VulnerabilityFacts['scores'][number]>('CvssScore').implement({
    fields: (t) => ({
      version: t.exposeString('version'),
      vector: t.exposeString('vector'),
      score: t.exposeFloat('score'),
      source: t.exposeString('source', { description: 'Who scored.' }),
    }),
  })
  const source = schema.objectRef<VulnerabilityFacts['records'][number]>('AdvisoryRecord').implement({
    fields: (t) => ({ feed: t.exposeString('feed'), id: t.exposeString('id') }),
  })
  const cve = schema.objectRef<CvePage>('Cve').implement({
    description: 'The facts of a vulnerability from all feeds, and the counts of its findings.',
    fields: cveFields({ types, count, score, source }),
  })
  schema.queryField('cve', (t) =>
    t.field({
      type: cve,
      description: 'Its findings: findings(filter: {cveId: …}).',
      args: { id: t.arg.string({ required: true }) },
      resolve: (_, { id }, ctx) => fromReplica(ctx, (there) => cvePage(there, id)),
    }),
  )
}

interface CveTypes {
  readonly types: VulnerabilityTypes
  readonly count: TypeOf<Count>
  readonly score: TypeOf<VulnerabilityFacts['scores'][number]>
  readonly source: TypeOf<VulnerabilityFacts['records'][number]>
}

const cveFields =
  ({ types, count, score, source }: CveTypes) =>
  (t: FieldMaker<CvePage>): Record<string, Field> => ({
    id: t.string({ resolve: ({ facts }) => facts.id }),
    state: t.string({
      description: 'published, rejected, withdrawn or unknown.',
      resolve: ({ facts }) => facts.state,
    }),
    isDisputed: t.boolean({ resolve: ({ facts }) => facts.isDisputed }),
    description: t.string({ resolve: ({ facts }) => facts.description }),
    severity: t.field({
      type: types.severity,
      nullable: true,
      resolve: ({ facts }) => facts.severity ?? null,
    }),
    scores: t.field({ type: [score], resolve: ({ facts }) => facts.scores }),
    publishedAt: t.field({
      type: 'DateTime',
      nullable: true,
      resolve: ({ facts }) => facts.publishedAt ?? null,
    }),
    modifiedAt: t.field({
      type: 'DateTime',
      nullable: true,
      resolve: ({ facts }) => facts.modifiedAt ?? null,
    }),
    weaknesses: t.stringList({ resolve: ({ facts }) => facts.weaknesses }),
    references: t.stringList({ resolve: ({ facts }) => facts.references }),
    records: t.field({ type: [source], resolve: ({ facts }) => facts.records }),
    epss: t.float({ nullable: true, resolve: ({ facts }) => facts.likelihood?.epss ?? null }),
    epssPercentile: t.float({
      nullable: true,
      resolve: ({ facts }) => facts.likelihood?.percentile ?? null,
    }),
    kevAddedOn: t.string({ nullable: true, resolve: ({ facts }) => facts.exploited?.addedOn ?? null }),
    kevDueOn: t.string({ nullable: true, resolve: ({ facts }) => facts.exploited?.dueOn ?? null }),
    isUsedByRansomware: t.boolean({ resolve: ({ facts }) => facts.exploited?.isByRansomware ?? false }),
    counts: t.field({ type: [count], resolve: (it) => it.counts }),
  })

function addOverview(schema: Schema, types: VulnerabilityTypes, count: TypeOf<Count>): void {
  const topCve = schema.objectRef<FindingsOverview['topCves'][number]>('TopCve').implement({
    fields: (t) => ({
      cveId: t.exposeString('cveId'),
      severity: t.expose('severity', { type: types.severity }),
      cvssScore: t.exposeFloat('cvssScore'),
      affectedAssets: t.exposeInt('affectedAssets'),
      epss: t.exposeFloat('epss', { nullable: true }),
      kevAddedOn: t.exposeString('kevAddedOn', { nullable: true }),
      description: t.exposeString('description'),
    }),
  })
  const topAsset = schema.objectRef<FindingsOverview['topAssets'][number]>('TopAsset').implement({
    fields: (t) => ({
      assetId: t.exposeID('assetId'),
      name: t.exposeString('name'),
      riskScore: t.exposeFloat('riskScore'),
      openFindings: t.exposeInt('openFindings'),
    }),
  })
  const overview = schema.objectRef<FindingsOverview>('FindingsOverview').implement({
    fields: (t) => ({
      counts: t.field({ type: [count], resolve: (it) => it.counts }),
      staleAssets: t.exposeInt('staleAssets', {
        description: 'Assets with open findings that are left out, since they are stale.',
      }),
      topCves: t.field({ type: [topCve], resolve: (it) => it.topCves }),
      topAssets: t.field({ type: [topAsset], resolve: (it) => it.topAssets }),
    }),
  })
  schema.queryField('findingsOverview', (t) =>
    t.field({ type: overview, resolve: (_, __, ctx) => fromReplica(ctx, findingsOverview) }),
  )
}
