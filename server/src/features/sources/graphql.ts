import type { AssetType } from '#features/assets/observation.ts'
import { given, type Schema } from '#platform/graphql/schema.ts'
import { createAsset, type CreatedAsset } from './manual-assets.ts'
import { listSources } from './sources.ts'
import type { ConnectedSource } from './source.ts'

export function graphql(schema: Schema): void {
  const source = schema.objectRef<ConnectedSource>('Source').implement({
    description: 'Where observations come from.',
    fields: (t) => ({
      id: t.exposeID('id'),
      kind: t.exposeString('kind'),
      name: t.exposeString('name'),
      connectedAt: t.expose('connectedAt', {
        type: 'DateTime',
        description: 'When it submitted its first observation.',
      }),
    }),
  })
  schema.queryField('sources', (t) => t.field({ type: [source], resolve: (_, __, ctx) => listSources(ctx) }))
  addManualAssets(schema)
}

function addManualAssets(schema: Schema): void {
  const created = schema.objectRef<CreatedAsset>('CreatedAsset').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.exposeString('name'),
      isNew: t.exposeBoolean('isNew', {
        description: 'False: it is an asset that was known by a serial number, address or name given here.',
      }),
    }),
  })
  schema.mutationField('createAsset', (t) =>
    t.field({
      type: created,
      description: 'Adds an asset that no scan sees; what scans see of it later joins it.',
      args: {
        name: t.arg.string({ required: true }),
        assetType: t.arg.string({ required: true, defaultValue: 'device' }),
        vendor: t.arg.string(),
        model: t.arg.string(),
        os: t.arg.string(),
        serial: t.arg.string(),
        hostname: t.arg.string(),
        macAddress: t.arg.string(),
        ipAddress: t.arg.string(),
        tags: t.arg.stringList(),
      },
      resolve: (_, { assetType, ...input }, ctx) =>
        createAsset(ctx, { ...given(input), assetType: assetType as AssetType }),
    }),
  )
}
