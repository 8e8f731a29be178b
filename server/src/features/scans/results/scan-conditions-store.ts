import { sql } from 'kysely'
import { searchedIn } from '#platform/conditions/lists/word-search.ts'
import type { ConditionPart, PartField } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'
import { scanStatuses, scanTypes } from '../scan-status.ts'
import { targetKinds } from '../targets/target.ts'

/** What conditions may ask about scans `sc`, those of discoveries included. */

const source = 'scans'

export const scanConditions = ({ tenantId }: Ctx): ConditionPart => ({
  subject: 'scan',
  permission: 'scans:read',
  rows: {
    from: sql`scans sc`,
    where: sql`sc.tenant_id = ${tenantId}`,
    id: sql`sc.id`,
    search: searchedIn(words),
  },
  fields,
})

/** Words are sought in the target, and in what the scan found or why it failed. */
const words = sql`lower(sc.target_address || E'\n' || sc.message)`

const fields: readonly PartField[] = [
  {
    name: 'id',
    type: 'text',
    sentence: 'The id of the scan.',
    source,
    isAlwaysKnown: true,
    sql: sql`sc.id::text`,
  },
  {
    name: 'type',
    type: 'text',
    values: scanTypes,
    sentence: 'How it looks: a sweep of addresses, or the protocol that it logs in with.',
    source,
    isAlwaysKnown: true,
    sql: sql`sc.type`,
  },
  {
    name: 'status',
    aliases: ['state'],
    type: 'text',
    values: scanStatuses,
    sentence: 'Whether it waits, runs, or how it ended.',
    source,
    isAlwaysKnown: true,
    sql: sql`sc.status`,
  },
  {
    name: 'target',
    type: 'text',
    sentence: 'The addresses or the host that it looks at.',
    source,
    isAlwaysKnown: true,
    // of addresses and names of hosts, which are ASCII
    sql: sql`lower(sc.target_address collate "C")`,
    label: sql`sc.target_address`,
  },
  {
    name: 'target_kind',
    type: 'text',
    values: targetKinds,
    sentence: 'Whether it looks at one host, a network, or a range.',
    source,
    isAlwaysKnown: true,
    sql: sql`sc.target_kind`,
  },
  {
    name: 'hosts',
    type: 'number',
    sentence: 'How many hosts were taken into the inventory.',
    source,
    isAlwaysKnown: true,
    sql: sql`sc.asset_count`,
  },
  {
    name: 'of_discovery',
    type: 'bool',
    sentence: 'Whether it is part of a run of a discovery; else somebody started it by itself.',
    source,
    isAlwaysKnown: true,
    sql: sql`(sc.run is not null)`,
  },
  {
    name: 'created_at',
    aliases: ['created'],
    type: 'instant',
    sentence: 'When it was asked for.',
    source,
    isAlwaysKnown: true,
    sql: sql`sc.created_at`,
  },
  {
    name: 'started_at',
    aliases: ['started'],
    type: 'instant',
    sentence: 'When it began; unknown of a scan that still waits.',
    source,
    sql: sql`sc.started_at`,
  },
  {
    name: 'finished_at',
    aliases: ['finished'],
    type: 'instant',
    sentence: 'When it ended; unknown of a scan that is under way.',
    source,
    sql: sql`sc.finished_at`,
  },
  {
    name: 'duration',
    type: 'number',
    unit: 's',
    sentence: 'How long it took; unknown until it has ended.',
    source,
    sql: sql`extract(epoch from sc.finished_at - sc.started_at)::float8`,
  },
]
