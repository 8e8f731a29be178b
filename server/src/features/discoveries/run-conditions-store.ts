import { sql } from 'kysely'
import { searchedIn } from '#platform/conditions/lists/word-search.ts'
import { fieldsOf } from '#platform/conditions/fields/part-fields.ts'
import type { ConditionPart, PartField } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'
import { runCauses, runStatuses } from './discovery.ts'

/** What conditions may ask about runs `dr` of discoveries. */

const { instant, number, text } = fieldsOf('discoveries')

export const runConditions = ({ tenantId }: Ctx): readonly ConditionPart[] => [
  {
    subject: 'discovery_run',
    permission: 'scans:read',
    rows: {
      from: sql`discovery_runs dr`,
      where: sql`dr.tenant_id = ${tenantId}`,
      id: sql`dr.id`,
      search: searchedIn(words),
    },
    fields: [...about, ...times, ...counts, ...compared],
  },
]

/** Words are sought in the name, the addresses, and in why the run failed or waits. */
const words = sql`lower(dr.name || E'\n' || array_to_string(dr.entries, E'\n') || E'\n' || dr.message)`

const about: readonly PartField[] = [
  text('id', 'The id of the run.', sql`dr.id::text`, { isAlwaysKnown: true }),
  text('name', 'The name of the discovery, as it was when the run began.', sql`dr.normalized_name`, {
    aliases: ['discovery'],
    label: sql`dr.name`,
  }),
  text(
    'status',
    'How far it is, or how it ended; waiting: for the hours in which it may touch the network.',
    sql`dr.status`,
    { aliases: ['state'], values: runStatuses, isAlwaysKnown: true },
  ),
  text('trigger', 'What started it: somebody, its schedule, or “scan now” on some assets.', sql`dr.cause`, {
    aliases: ['cause'],
    values: runCauses,
    isAlwaysKnown: true,
  }),
]

const times: readonly PartField[] = [
  instant('created_at', 'When it was asked for.', sql`dr.created_at`, {
    aliases: ['created'],
    isAlwaysKnown: true,
  }),
  instant('started_at', 'When it began; unknown of a run that never began.', sql`dr.started_at`, {
    aliases: ['started'],
  }),
  instant('finished_at', 'When it ended; unknown of a run that is under way.', sql`dr.finished_at`, {
    aliases: ['finished'],
  }),
  number(
    'duration',
    'How long it took, what it waited included; unknown until it has ended.',
    sql`extract(epoch from dr.finished_at - dr.started_at)::float8`,
    { unit: 's' },
  ),
]

const counts: readonly PartField[] = (
  [
    ['addresses', 'addresses_total', 'How many addresses it looks at.'],
    ['hosts', 'hosts_found', 'How many live hosts it found.'],
    ['logged_in', 'logged_in', 'How many hosts a login succeeded at.'],
    ['refused', 'refused', 'How many hosts refused every login.'],
    ['unanswered', 'unanswered', 'How many hosts answered no login.'],
    ['not_asked', 'not_asked', 'How many hosts no login was shown to.'],
  ] as const
).map(([name, column, sentence]) => number(name, sentence, sql.ref(`dr.${column}`), { isAlwaysKnown: true }))

/** Against the run before. */
const compared: readonly PartField[] = (
  [
    ['new_hosts', 'How many hosts the run before did not find; unknown where it was compared with none.'],
    ['changed_hosts', 'How many hosts answered otherwise than in the run before.'],
    ['gone_hosts', 'How many hosts of the run before it did not find.'],
  ] as const
).map(([name, sentence]) => number(name, sentence, sql.ref(`dr.${name}`)))
