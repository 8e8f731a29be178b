import type { Schema } from '#platform/graphql/schema.ts'
import { addMutations } from './graphql/mutations.ts'
import { addObjectTypes } from './graphql/object-types.ts'
import { addQueries } from './graphql/queries.ts'

export function graphql(schema: Schema): void {
  const types = addObjectTypes(schema)
  addQueries(schema, types)
  addMutations(schema, types)
}
