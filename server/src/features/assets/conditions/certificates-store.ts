import { sql } from 'kysely'
import type { PartCollection } from '#platform/conditions/subject.ts'

const source = 'sweeps, of one port; the endpoint agent'

/** The certificates that sources found on the asset `a`. */
export const certificates: PartCollection = {
  name: 'certificate',
  sentence: 'Certificates that it shows on a port, or that lie in the usual places of its file system.',
  source,
  isKnown: sql`(a.certificates is not null)`,
  from: sql`jsonb_to_recordset(a.certificates) as cert(ends timestamptz, "isSelfSigned" boolean, "isShown" boolean)`,
  of: sql`true`,
  fields: [
    {
      name: 'expires',
      type: 'date',
      sentence: 'The day on which it ends, in UTC.',
      source,
      sql: sql`(cert.ends at time zone 'UTC')::date`,
    },
    {
      name: 'self_signed',
      type: 'bool',
      sentence: 'Whether it is signed by itself.',
      source,
      sql: sql`cert."isSelfSigned"`,
    },
    {
      name: 'shown',
      type: 'bool',
      sentence: 'Whether it shows it on a port; others may be roots that it trusts.',
      source,
      sql: sql`cert."isShown"`,
    },
  ],
}
