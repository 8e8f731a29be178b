import { missingScope } from '#features/api-keys/scopes.ts'
import type { Feature } from '#platform/feature.ts'
import { openApiDocument } from '#platform/api-reference/openapi.ts'

/** The REST API of these features as an OpenAPI document. */
export function apiDocument(features: readonly Feature[]): object {
  return openApiDocument(
    features.flatMap(({ rest }) => rest ?? []),
    {
      title: 'Rollcall',
      version: 'v1',
      scopeOf: (method, path) => missingScope([], method, path) ?? 'none',
      confinedKeys: {
        name: 'partnerKey',
        header: 'X-Partner-Key',
        rateHeaderPrefix: 'X-Partner-RateLimit',
      },
    },
  )
}
