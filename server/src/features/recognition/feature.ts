import type { Feature } from '#platform/feature.ts'
import { rest } from './rest.ts'

export const recognition: Feature = { name: 'recognition', tables: {}, rest }
