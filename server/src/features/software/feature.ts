import type { Feature } from '#platform/feature.ts'

export const software: Feature = {
  name: 'software',
  tables: ['software', 'software_changes', 'software_sets', 'software_systems'],
}
