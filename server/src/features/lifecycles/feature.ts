import type { Feature } from '#platform/feature.ts'
import { graphql } from './graphql.ts'

export const lifecycles: Feature = { name: 'lifecycles', tables: {}, graphql }
