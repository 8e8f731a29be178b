import type { Schema } from '#platform/graphql/schema.ts'
import { addAssetChecks } from './graphql/asset-checks.ts'
import { addCopies, addTexts } from './graphql/checks.ts'
import { addDetails } from './graphql/details.ts'
import { addExceptions } from './graphql/exceptions.ts'
import { addMutations } from './graphql/mutations.ts'
import { addObjectTypes } from './graphql/object-types.ts'
import { addQueries } from './graphql/queries.ts'
import { addStatements } from './graphql/statements.ts'

export function graphql(schema: Schema): void {
  const types = addObjectTypes(schema)
  addQueries(schema, types)
  addDetails(schema, types, addCopies(schema, types))
  addAssetChecks(schema, types)
  addTexts(schema)
  addMutations(schema, types)
  addExceptions(schema, types)
  addStatements(schema, types)
}
