import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { graphql } from './graphql.ts'
import { every } from './jobs.ts'

export const software: Feature = {
  name: 'software',
  tables: ['software', 'software_changes', 'software_sets', 'software_systems'],
  graphql,
  commands,
  every,
}
