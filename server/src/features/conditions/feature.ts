import type { Feature } from '#platform/feature.ts'
import { graphql } from './graphql.ts'

export const conditions: Feature = { name: 'conditions', tables: {}, graphql }
