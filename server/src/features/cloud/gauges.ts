import type { CountedGauge } from '#platform/feature.ts'
import { totals } from './total-store.ts'

export const gauges: readonly CountedGauge[] = [
  {
    name: 'rollcall_cloud_scopes_read',
    help: 'Readings of a type of cloud resource in a region of an account since the installation was made, by their end.',
    label: 'status',
    count: async (system) => (await totals(system)).read,
  },
  {
    name: 'rollcall_cloud_calls_throttled',
    help: 'Calls that cloud providers throttled since the installation was made.',
    count: async (system) => (await totals(system)).throttled,
  },
]
