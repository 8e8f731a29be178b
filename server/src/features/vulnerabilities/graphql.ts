import type { Schema } from '#platform/graphql/schema.ts'
import { addAssessment } from './graphql/assessment.ts'
import { addOverrides } from './graphql/overrides.ts'
import { addQueries } from './graphql/finding-queries.ts'
import { addRisk } from './graphql/risk.ts'
import { addTypes } from './graphql/finding-types.ts'

export function graphql(schema: Schema): void {
  const types = addTypes(schema)
  const findings = addQueries(schema, types)
  addOverrides(schema, types, findings)
  addRisk(schema, types)
  addAssessment(schema)
}
