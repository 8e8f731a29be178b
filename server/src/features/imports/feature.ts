import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { files } from './files.ts'
import { graphql } from './graphql.ts'
import { every, jobs } from './jobs.ts'

export const imports: Feature = {
  name: 'imports',
  tables: { imports: 'tenant', import_chunks: 'tenant', import_mappings: 'tenant' },
  graphql,
  files,
  jobs,
  every,
  commands,
}
