import type { Schema } from '#platform/graphql/schema.ts'
import { addArchive } from './graphql/archive.ts'
import { addGroups } from './graphql/groups.ts'
import { addMutations } from './graphql/mutations.ts'
import { addQueries } from './graphql/queries.ts'
import { addTypes } from './graphql/object-types.ts'

export function graphql(schema: Schema): void {
  const types = addTypes(schema)
  addQueries(schema, types)
  addMutations(schema, types)
  addArchive(schema, types)
  addGroups(schema)
}
