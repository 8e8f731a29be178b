import { Type, type Static, type TSchema } from 'typebox'
import { invalidFormat } from '#platform/errors.ts'
import { readCondition } from '#platform/conditions/with-condition.ts'
import { whereQuery } from '#platform/conditions/where-query.ts'
import {
  csvFormat,
  exportHeaderSentences,
  listOf,
  listReply,
  pageQuery,
  parsePage,
} from '#platform/http/paging.ts'
import { route, type Input, type Reply, type Route } from '#platform/http/route.ts'
import type { Ctx } from '#platform/context.ts'
import { deleteAsset, getAsset, listAssets, type Asset } from './assets.ts'
import { columnsPattern, exportAsCsv } from './exporting/csv-export.ts'
import { assetTypes } from './observation.ts'
import { customFieldRoutes } from './rest/custom-fields.ts'
import { groupRoutes } from './rest/groups.ts'

const text = (description: string) => Type.String({ description })
const optionalText = (description: string) => Type.Optional(text(description))

const AssetJson = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    assetType: Type.Enum([...assetTypes]),
    ipAddress: text('empty when not collected'),
    macAddress: text('empty when not collected'),
    os: text('empty when not collected'),
    riskScore: Type.Number({ description: '0 when the asset has no open vulnerabilities' }),
    lastSeen: Type.String({ format: 'date-time' }),
    tags: Type.Array(Type.String()),
  },
  { $id: 'Asset' },
)

const toJson = (asset: Asset): Static<typeof AssetJson> => ({
  id: asset.id,
  name: asset.name,
  assetType: asset.assetType,
  ipAddress: asset.ipAddress,
  macAddress: asset.macAddress,
  os: asset.os,
  riskScore: asset.riskScore,
  lastSeen: asset.lastSeen,
  tags: [...asset.tags],
})

const ExportQuery = Type.Object({
  format: csvFormat,
  where: whereQuery('asset', 'os:windows and last_seen < -30d'),
  columns: Type.Optional(
    Type.String({
      description:
        'An extension: names of columns, separated by commas, such as `custom.cost_centre,id,name`. Empty: the usual ones.',
      documentedAs: { pattern: columnsPattern },
    }),
  ),
})

const asCsv = async (
  ctx: Ctx,
  { query: { format, where, columns }, isHead }: Pick<Input<typeof ExportQuery, TSchema>, 'query' | 'isHead'>,
): Promise<Reply> => {
  if (format !== 'csv') throw invalidFormat()
  // bad input is refused (400) before names are looked for (404)
  if (where) readCondition(await ctx.conditions.on(ctx, 'asset'), 'where', where)
  return exportAsCsv(ctx, where ? { where } : undefined, columns ? columns.split(',') : undefined, isHead)
}

export const rest: readonly Route[] = [
  route(
    'GET',
    '/assets',
    {
      summary: 'List assets, newest lastSeen first.',
      query: Type.Object({
        ...pageQuery,
        type: optionalText('exact asset type'),
        search: optionalText('anywhere in id, host name, IP address or serial number, whatever its case'),
        where: whereQuery('asset', 'os:windows and last_seen < -30d'),
      }),
      reply: listOf(AssetJson),
    },
    async (ctx, { query }) => {
      const page = parsePage(query)
      return listReply(
        page,
        await listAssets(ctx, page, {
          type: query.type || undefined,
          search: query.search,
          where: query.where || undefined,
        }),
        toJson,
      )
    },
  ),
  route(
    'GET',
    '/assets/search',
    {
      summary: 'Search assets by id, host name, IP address or serial number.',
      query: Type.Object({ ...pageQuery, q: text('the text to look for') }),
      reply: listOf(AssetJson),
    },
    async (ctx, { query }) => {
      const page = parsePage(query)
      return listReply(page, await listAssets(ctx, page, { search: query.q }), toJson)
    },
  ),
  route(
    'GET',
    '/assets/export',
    {
      summary: 'All assets as CSV.',
      query: ExportQuery,
      replyHeaders: exportHeaderSentences,
      reply: 'text/csv',
    },
    asCsv,
  ),
  route('GET', '/assets/:id', { summary: 'One asset.', reply: AssetJson }, async (ctx, { params }) => ({
    json: toJson(await getAsset(ctx, params['id'] ?? '')),
  })),
  route(
    'DELETE',
    '/assets/:id',
    {
      summary: 'An extension: deletes an asset; if a source reports it again, it is a new one.',
      reply: Type.Object({ message: Type.String() }),
    },
    async (ctx, { params }) => {
      await deleteAsset(ctx, params['id'] ?? '')
      return { json: { message: 'asset deleted' } }
    },
  ),
  route(
    'GET',
    '/assets/:id/export',
    {
      summary: 'The same as /assets/export, whatever the id.',
      query: ExportQuery,
      takesAnyId: true,
      replyHeaders: exportHeaderSentences,
      reply: 'text/csv',
    },
    asCsv,
  ),
  ...customFieldRoutes,
  ...groupRoutes,
]
