import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { graphql } from './graphql.ts'
import { sealedKey, signBytes } from './proof/signing-key.ts'

export const audit: Feature = {
  name: 'audit',
  tables: {
    audit_checkpoints: 'tenant',
    audit_entries: 'tenant',
    audit_links: 'tenant',
    audit_heads: 'tenant',
    audit_signing_key: 'engine',
  },
  limitedTables: () => ({ audit_entries: 'appended' }),
  graphql,
  commands,
  sealed: [sealedKey],
  sign: signBytes,
}
