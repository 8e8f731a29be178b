import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { files } from './files.ts'

export const imports: Feature = { name: 'imports', tables: {}, files, commands }
