import { sql } from 'kysely'
import { searchedIn } from '#platform/conditions/lists/word-search.ts'
import type { ConditionPart, PartField } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'
import { runCauses, runStatuses } from './discovery.ts'

/** What conditions may ask about runs `dr` of discoveries. */

const source = 'discoveries'

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
  {
    name: 'id',
    type: 'text',
    sentence: 'The id of the run.',
    source,
    isAlwaysKnown: true,
    sql: sql`dr.id::text`,
  },
  {
    name: 'name',
    aliases: ['discovery'],
    type: 'text',
    sentence: 'The name of the discovery, as it was when the run began.',
    source,
    sql: sql`dr.normalized_name`,
    label: sql`dr.name`,
  },
  {
    name: 'status',
    aliases: ['state'],
    type: 'text',
    values: runStatuses,
    sentence: 'How far it is, or how it ended; waiting: for the hours in which it may touch the network.',
    source,
    isAlwaysKnown: true,
    sql: sql`dr.status`,
  },
  {
    name: 'trigger',
    aliases: ['cause'],
    type: 'text',
    values: runCauses,
    sentence: 'What started it: somebody, its schedule, or “scan now” on some assets.',
    source,
    isAlwaysKnown: true,
    sql: sql`dr.cause`,
  },
]

const times: readonly PartField[] = [
  {
    name: 'created_at',
    aliases: ['created'],
    type: 'instant',
    sentence: 'When it was asked for.',
    source,
    isAlwaysKnown: true,
    sql: sql`dr.created_at`,
  },
  {
    name: 'started_at',
    aliases: ['started'],
    type: 'instant',
    sentence: 'When it began; unknown of a run that never began.',
    source,
    sql: sql`dr.started_at`,
  },
  {
    name: 'finished_at',
    aliases: ['finished'],
    type: 'instant',
    sentence: 'When it ended; unknown of a run that is under way.',
    source,
    sql: sql`dr.finished_at`,
  },
  {
    name: 'duration',
    type: 'number',
    unit: 's',
    sentence: 'How long it took, what it waited included; unknown until it has ended.',
    source,
    sql: sql`extract(epoch from dr.finished_at - dr.started_at)::float8`,
  },
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
).map(([name, column, sentence]): PartField => ({
  name,
  type: 'number',
  sentence,
  source,
  isAlwaysKnown: true,
  sql: sql.ref(`dr.${column}`),
}))

/** Against the run before. */
const compared: readonly PartField[] = (
  [
    ['new_hosts', 'How many hosts the run before did not find; unknown where it was compared with none.'],
    ['changed_hosts', 'How many hosts answered otherwise than in the run before.'],
    ['gone_hosts', 'How many hosts of the run before it did not find.'],
  ] as const
).map(([name, sentence]): PartField => ({
  name,
  type: 'number',
  sentence,
  source,
  sql: sql.ref(`dr.${name}`),
}))
