import { sql } from 'kysely'
import type { PartField } from '#platform/conditions/subject.ts'

/** Whether assets are archived or stale, over the alias `a`. */
export const life: readonly PartField[] = [
  {
    name: 'archived',
    type: 'bool',
    sentence: 'Whether it is archived; conditions find living assets unless they ask about this.',
    source: 'people, and rules about the last sighting',
    sql: sql`(a.archived_at is not null)`,
  },
  {
    name: 'archived_at',
    type: 'instant',
    sentence: 'When it was archived; living assets have none.',
    source: 'people, and rules about the last sighting',
    sql: sql`a.archived_at`,
  },
  {
    name: 'archived_by',
    type: 'text',
    sentence: 'Who archived it: `rule`, or the name of a person or key.',
    source: 'people, and rules about the last sighting',
    sql: sql`a.normalized_archived_by`,
    label: sql`a.archived_by`,
  },
  {
    name: 'stale',
    type: 'bool',
    sentence:
      'Whether no source has seen it for longer than expected: three times the cadence of its best source, at least 3 days; 30 days where the cadence is not known. Stale assets are out of checks and the overview of risk until they are seen again.',
    source: 'every source, noted within ten minutes',
    sql: sql`(a.stale_since is not null)`,
  },
]
