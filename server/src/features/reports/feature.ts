import type { Feature } from '#platform/feature.ts'
import { jobs } from './jobs.ts'
import { rest } from './rest.ts'

export const reports: Feature = {
  name: 'reports',
  emits: ['EXPORT_COMPLETED'],
  tables: {
    reports: 'tenant',
    report_snapshots: 'tenant',
    report_chunks: 'tenant',
    inventory_days: 'tenant',
  },
  rest,
  jobs,
}
