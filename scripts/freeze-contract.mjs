import { fileURLToPath } from 'node:url'
import { findNode, runInForeground } from '../server/bin/node-24.mjs'

// At a release, after npm run generate: see docs/api-versions.md.
const script = fileURLToPath(new URL('../server/scripts/freeze-contract.ts', import.meta.url))
process.exitCode = await runInForeground(findNode(), [script])
