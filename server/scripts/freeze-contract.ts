import { freezeContract } from '../test/compatibility/documents.ts'

// At a release, after npm run generate: see docs/api-versions.md.
freezeContract()
