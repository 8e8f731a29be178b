import { fromReplica } from '#platform/context.ts'
import { given, pageArgs, pageFrom, pageType, perItem, type Schema } from '#platform/graphql/schema.ts'
import type { Page } from '#platform/http/paging.ts'
import type { Asset } from '../asset.ts'
import type { AssetQuery } from '../listing/asset-query.ts'
import { queryAssetPage, countAssets } from '../listing/filter-and-sort.ts'
import { listCustomFields } from '../editing/custom-fields.ts'
import { customValuesOf, listCustomValues, type ValueOfField } from '../editing/custom-values.ts'
import { listDuplicates } from '../listing/possible-duplicates.ts'
import { explainAsset, type Explanation } from '../details/explain-asset.ts'
import { assetFields, type AssetTypes } from './object-types.ts'
import { interfacesOf } from '../details/network-interfaces.ts'
import { getOverview, type Overview } from '../listing/overview.ts'
import { previewMerge, previewUnlink } from '../editing/merge-preview.ts'
import type { TagCount } from '../editing/tag-count.ts'
import { listTags } from '../editing/tags.ts'

const TAGS_MAX = 200

export function addQueries(schema: Schema, types: AssetTypes): void {
  addList(schema, types)
  addDetail(schema, types)
  addOverview(schema, types)
  addPreviews(schema, types)
}

function addList(schema: Schema, types: AssetTypes): void {
  const page = assetPage(schema, types)
  const filter = schema.inputType('AssetFilter', {
    fields: (t) => ({
      type: t.field({ type: types.assetType }),
      deviceType: t.field({ type: types.deviceType }),
      search: t.string({
        description:
          'A network in CIDR notation; else anywhere in id, name, host name, address, serial, operating system, make and model, tags, and in MAC addresses in any spelling.',
      }),
      where: t.string({ description: 'A condition, as docs/conditions.md describes them.' }),
      tag: t.string(),
      sourceId: t.id(),
      freshness: t.field({ type: types.freshness }),
      newSince: t.field({ type: 'DateTime', description: 'First seen then or later.' }),
      thisWeek: t.field({
        type: types.weeklyChange,
        description: 'Assets that are new this week, or that went quiet.',
      }),
      archived: t.boolean({ description: 'Archived assets instead of living ones.' }),
    }),
  })
  schema.queryField('assets', (t) =>
    t.field({
      type: page,
      args: {
        filter: t.arg({ type: filter }),
        sort: t.arg({ type: types.sort, required: true, defaultValue: 'lastSeen' }),
        direction: t.arg({ type: types.direction, required: true, defaultValue: 'desc' }),
        ...pageArgs(schema),
      },
      complexity: perItem,
      resolve: (_, { filter: wanted, sort, direction, ...page }) => ({
        page: pageFrom(page),
        query: { ...given(wanted ?? {}), sort, direction },
      }),
    }),
  )
  const duplicates = pageType(schema, 'PossibleDuplicatePage', types.duplicate)
  schema.queryField('possibleDuplicates', (t) =>
    t.field({
      type: duplicates,
      description: 'Pairs of assets that may be the same, highest score first.',
      args: { assetId: t.arg.id(), ...pageArgs(schema) },
      complexity: perItem,
      resolve: (_, { assetId, ...page }, ctx) => listDuplicates(ctx, pageFrom(page), assetId ?? undefined),
    }),
  )
}

/** The total is computed only when the query asks for it: a client that pages needs it once. */
function assetPage(schema: Schema, types: AssetTypes) {
  return schema.objectRef<{ readonly page: Page; readonly query: AssetQuery }>('AssetPage').implement({
    fields: (t) => ({
      items: t.field({
        type: [types.asset],
        complexity: { field: 1, multiplier: 1 },
        resolve: ({ page, query }, _, ctx) => queryAssetPage(ctx, page, query) as never,
      }),
      total: t.int({ resolve: ({ query }, _, ctx) => countAssets(ctx, query) }),
    }),
  })
}

type Detail = Asset & Omit<Explanation, 'asset'>

/** All details of one asset; the explanation is computed once, however many of its fields are asked for. */
function addDetail(schema: Schema, types: AssetTypes): void {
  const detail = schema.objectRef<Detail>('AssetDetail').implement({
    fields: (t) => ({
      ...assetFields(types)(t as never),
      observations: t.field({ type: [types.observation], resolve: (it) => it.observations }),
      attributes: t.field({ type: [types.attributeOffers], resolve: (it) => it.attributes }),
      recognition: t.field({ type: types.recognition, resolve: (it) => it.recognition }),
      links: t.field({
        type: [types.link],
        description:
          'Why the observations are of one asset: one link fewer than observations, highest score first.',
        resolve: (it) => it.links,
      }),
      constraints: t.field({ type: [types.constraint], resolve: (it) => it.constraints }),
      ignoredValues: t.field({ type: [types.ignored], resolve: (it) => it.ignored }),
      interfaces: t.field({
        type: [types.interface],
        resolve: ({ observations }) => interfacesOf(observations),
      }),
      customFields: t.field({
        type: [types.customValue],
        description: 'Those that are set.',
        resolve: ({ id }, _, ctx) => customValuesOf(ctx, id),
      }),
    }),
  })
  schema.queryField('asset', (t) =>
    t.field({
      type: detail,
      args: { id: t.arg.id({ required: true }) },
      resolve: async (_, { id }, ctx) => {
        const { asset, ...explanation } = await explainAsset(ctx, id)
        return { ...asset, ...explanation }
      },
    }),
  )
  addCustomFields(schema, types)
}

function addCustomFields(schema: Schema, types: AssetTypes): void {
  schema.queryField('customFields', (t) =>
    t.field({ type: [types.customField], resolve: (_, __, ctx) => listCustomFields(ctx) }),
  )
  const value = schema.objectRef<ValueOfField>('ListedCustomFieldValue').implement({
    fields: (t) => ({
      assetId: t.exposeID('assetId'),
      fieldId: t.exposeID('fieldId'),
      value: t.expose('value', { type: 'JSON' }),
    }),
  })
  schema.queryField('customFieldValues', (t) =>
    t.field({
      type: [value],
      description: 'Those that are set, of at most 500 assets and 500 fields, in no order.',
      args: { assetIds: t.arg.idList({ required: true }), fieldIds: t.arg.idList({ required: true }) },
      resolve: (_, { assetIds, fieldIds }, ctx) =>
        listCustomValues(ctx, { fieldIds: fieldIds.map(String), assetIds: assetIds.map(String) }),
    }),
  )
}

function addOverview(schema: Schema, types: AssetTypes): void {
  const byType = schema.objectRef<Overview['byType'][number]>('TypeCount').implement({
    fields: (t) => ({
      type: t.expose('type', { type: types.assetType }),
      count: t.exposeInt('count'),
    }),
  })
  const bySource = schema.objectRef<Overview['bySource'][number]>('SourceCount').implement({
    description: 'What a source sees.',
    fields: (t) => ({
      sourceId: t.exposeID('sourceId'),
      kind: t.exposeString('kind'),
      name: t.exposeString('name'),
      count: t.exposeInt('count'),
    }),
  })
  const byFreshness = schema.objectRef<Overview['byFreshness'][number]>('FreshnessCount').implement({
    fields: (t) => ({
      freshness: t.expose('freshness', { type: types.freshness }),
      count: t.exposeInt('count'),
    }),
  })
  const overview = schema.objectRef<Overview>('Overview').implement({
    fields: (t) => ({
      total: t.exposeInt('total'),
      byType: t.field({ type: [byType], resolve: (it) => it.byType }),
      bySource: t.field({ type: [bySource], resolve: (it) => it.bySource }),
      byFreshness: t.field({ type: [byFreshness], resolve: (it) => it.byFreshness }),
      newThisWeek: t.exposeInt('newThisWeek', { description: 'First seen in the last seven days.' }),
      goneThisWeek: t.exposeInt('goneThisWeek', {
        description: 'Seen for the last time seven to fourteen days ago.',
      }),
      possibleDuplicates: t.exposeInt('possibleDuplicates'),
    }),
  })
  schema.queryField('overview', (t) =>
    t.field({ type: overview, resolve: (_, __, ctx) => fromReplica(ctx, getOverview) }),
  )
}

function addPreviews(schema: Schema, types: AssetTypes): void {
  schema.queryFields((t) => ({
    previewMerge: t.field({
      type: types.asset,
      description: 'The asset that both would be; its id is the survivor. Nothing is written.',
      args: { assetIdA: t.arg.id({ required: true }), assetIdB: t.arg.id({ required: true }) },
      resolve: (_, pair, ctx) => previewMerge(ctx, pair),
    }),
    previewUnlink: t.field({
      type: types.unlinkPreview,
      description: 'What unlinkAssetObservations would make. Nothing is written.',
      args: {
        assetId: t.arg.id({ required: true }),
        observationIds: t.arg.idList({ required: true }),
      },
      resolve: (_, request, ctx) => previewUnlink(ctx, request),
    }),
  }))
  const tagUse = schema.objectRef<TagCount>('TagUse').implement({
    fields: (t) => ({ tag: t.exposeString('tag'), count: t.exposeInt('count') }),
  })
  schema.queryField('assetTags', (t) =>
    t.field({
      type: [tagUse],
      description: 'The tags in use, the most used first.',
      args: { search: t.arg.string({ required: true, defaultValue: '' }) },
      resolve: (_, { search }, ctx) => listTags(ctx, { text: search, limit: TAGS_MAX }),
    }),
  )
}
