import { Type } from 'typebox'
import { assetTypes } from '#features/assets/assets.ts'
import { route, type Route } from '#platform/http/route.ts'
import { lineText } from '#platform/validation/line-text.ts'
import { createAsset, MAC_PATTERN } from './manual-assets.ts'

/** Extension: an asset that no scan sees. */

const TEXT_LENGTH_MAX = 255

const CreatedAssetJson = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    isNew: Type.Boolean({
      description: 'false: it is one that was known by a serial number or address given here',
    }),
  },
  { $id: 'CreatedAsset' },
)

const text = Type.Optional(lineText(TEXT_LENGTH_MAX))

export const rest: readonly Route[] = [
  route(
    'POST',
    '/assets',
    {
      summary: 'An extension: adds an asset by hand; what scans see of it later joins it.',
      body: Type.Object({
        name: lineText(TEXT_LENGTH_MAX),
        assetType: Type.Optional(Type.Enum([...assetTypes], { description: 'device unless given' })),
        vendor: text,
        model: text,
        os: text,
        serial: text,
        hostname: text,
        macAddress: Type.Optional(Type.String({ documentedAs: { pattern: MAC_PATTERN } })),
        ipAddress: Type.Optional(
          Type.String({
            documentedAs: {
              type: undefined,
              anyOf: [
                { type: 'string', format: 'ipv4' },
                { type: 'string', format: 'ipv6' },
              ],
            },
          }),
        ),
      }),
      status: 201,
      takesIdempotencyKey: true,
      reply: CreatedAssetJson,
    },
    async (ctx, { body }) => ({ json: await createAsset(ctx, body) }),
  ),
]
