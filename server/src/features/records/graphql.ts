import type { Schema } from '#platform/graphql/schema.ts'
import { addAttachments } from './attachments/graphql.ts'
import { addEntitlements } from './graphql/entitlements.ts'
import { addPlaces } from './graphql/places.ts'
import { addRecords } from './graphql/asset-records.ts'

export function graphql(schema: Schema): void {
  const place = addPlaces(schema)
  addRecords(schema, place)
  addEntitlements(schema)
  addAttachments(schema)
}
