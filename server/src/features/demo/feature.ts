import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'

export const demo: Feature = { name: 'demo', tables: {}, commands }
