import type { Schema } from '#platform/graphql/schema.ts'
import { addBackTests } from './graphql/back-tests.ts'
import { addCatalogues } from './graphql/catalogues.ts'
import { flowTypes } from './graphql/object-types.ts'
import { addPastEvents } from './graphql/past-events.ts'
import { addQueries, settingTypes } from './graphql/queries.ts'
import { addApprovals, addRunning } from './graphql/running.ts'
import { addSettings, addWriting } from './graphql/writing.ts'

export function graphql(schema: Schema): void {
  const types = flowTypes(schema)
  const settings = settingTypes(schema)
  addQueries(schema, types, settings)
  addWriting(schema, types)
  addSettings(schema, settings)
  addRunning(schema, types)
  addApprovals(schema)
  addPastEvents(schema)
  addBackTests(schema, types.flow)
  addCatalogues(schema)
}
