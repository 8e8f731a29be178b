import { sql } from 'kysely'
import { searchedIn } from '#platform/conditions/lists/word-search.ts'
import { fieldsOf } from '#platform/conditions/fields/part-fields.ts'
import type { ConditionPart, PartField } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'
import { scanStatuses, scanTypes } from '../scan-status.ts'
import { targetKinds } from '../targets/target.ts'

/** What conditions may ask about scans `sc`, those of discoveries included. */

const { bool, instant, number, text } = fieldsOf('scans')

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
  text('id', 'The id of the scan.', sql`sc.id::text`, { isAlwaysKnown: true }),
  text('type', 'How it looks: a sweep of addresses, or the protocol that it logs in with.', sql`sc.type`, {
    values: scanTypes,
    isAlwaysKnown: true,
  }),
  text('status', 'Whether it waits, runs, or how it ended.', sql`sc.status`, {
    aliases: ['state'],
    values: scanStatuses,
    isAlwaysKnown: true,
  }),
  // of addresses and names of hosts, which are ASCII
  text('target', 'The addresses or the host that it looks at.', sql`lower(sc.target_address collate "C")`, {
    isAlwaysKnown: true,
    label: sql`sc.target_address`,
  }),
  text('target_kind', 'Whether it looks at one host, a network, or a range.', sql`sc.target_kind`, {
    values: targetKinds,
    isAlwaysKnown: true,
  }),
  number('hosts', 'How many hosts were taken into the inventory.', sql`sc.asset_count`, {
    isAlwaysKnown: true,
  }),
  bool(
    'of_discovery',
    'Whether it is part of a run of a discovery; else somebody started it by itself.',
    sql`(sc.run is not null)`,
    { isAlwaysKnown: true },
  ),
  instant('created_at', 'When it was asked for.', sql`sc.created_at`, {
    aliases: ['created'],
    isAlwaysKnown: true,
  }),
  instant('started_at', 'When it began; unknown of a scan that still waits.', sql`sc.started_at`, {
    aliases: ['started'],
  }),
  instant('finished_at', 'When it ended; unknown of a scan that is under way.', sql`sc.finished_at`, {
    aliases: ['finished'],
  }),
  number(
    'duration',
    'How long it took; unknown until it has ended.',
    sql`extract(epoch from sc.finished_at - sc.started_at)::float8`,
    { unit: 's' },
  ),
]
