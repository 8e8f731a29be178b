import type { Feature } from '#platform/feature.ts'

export const software: Feature = { name: 'software', tables: [] }
