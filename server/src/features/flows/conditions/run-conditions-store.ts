import { sql } from 'kysely'
import { searchedIn } from '#platform/conditions/lists/word-search.ts'
import type { ConditionPart, PartField } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'
import { runStatuses } from '../running/run.ts'

/** What conditions may ask about runs `fr` of flows `fl`. */

const source = 'the engine of flows'

export const runConditions = (ctx: Ctx): readonly ConditionPart[] => [
  {
    subject: 'flow_run',
    permission: 'flows:read',
    rows: {
      from: sql`flow_runs fr`,
      where: sql`fr.tenant_id = ${ctx.tenantId} and fr.status <> 'new'`,
      id: sql`fr.id`,
      owner: {
        subject: 'asset',
        join: sql`left join assets a on a.tenant_id = ${ctx.tenantId} and a.id = fr.asset_id`,
      },
      search: searchedIn(words),
    },
    join: sql`left join flows fl on fl.tenant_id = ${ctx.tenantId} and fl.id = fr.flow_id`,
    fields,
  },
]

/** Words are sought in the name of the flow, and in why the run failed or was skipped. */
const words = sql`lower(coalesce(fl.name, '') || E'\n' || coalesce(fr.reason, ''))`

const seconds = sql`extract(epoch from fr.finished_at - fr.started_at)::float8`

const fields: readonly PartField[] = [
  {
    name: 'id',
    type: 'text',
    sentence: 'The id of the run.',
    source,
    isAlwaysKnown: true,
    sql: sql`fr.id::text`,
  },
  {
    name: 'flow',
    type: 'text',
    sentence: 'The name of the flow.',
    source,
    sql: sql`fl.normalized_name`,
    label: sql`fl.name`,
  },
  {
    name: 'flow_id',
    type: 'text',
    sentence: 'The id of the flow.',
    source,
    isAlwaysKnown: true,
    sql: sql`fr.flow_id::text`,
  },
  {
    name: 'version',
    type: 'number',
    sentence: 'Which version of the flow ran.',
    source,
    isAlwaysKnown: true,
    sql: sql`fr.version`,
  },
  {
    name: 'status',
    aliases: ['state'],
    type: 'text',
    values: runStatuses.filter((it) => it !== 'new'),
    sentence: 'How far it is, or how it ended; skipped: a guard did not let it run.',
    source,
    isAlwaysKnown: true,
    sql: sql`fr.status`,
  },
  {
    name: 'trigger',
    aliases: ['cause'],
    type: 'text',
    suggested: ['manual', 'schedule', 'webhook', 'query'],
    sentence: 'What started it: manual, schedule, webhook, query, or the type of an event.',
    source,
    isAlwaysKnown: true,
    // of words of the product, which are ASCII
    sql: sql`lower(fr.cause collate "C")`,
    label: sql`fr.cause`,
  },
  {
    name: 'created_at',
    aliases: ['created'],
    type: 'instant',
    sentence: 'When it was asked for.',
    source,
    isAlwaysKnown: true,
    sql: sql`fr.created_at`,
  },
  {
    name: 'started_at',
    aliases: ['started'],
    type: 'instant',
    sentence: 'When its first step began; unknown of a run that never began.',
    source,
    sql: sql`fr.started_at`,
  },
  {
    name: 'finished_at',
    aliases: ['finished'],
    type: 'instant',
    sentence: 'When it ended; unknown of a run that is under way.',
    source,
    sql: sql`fr.finished_at`,
  },
  {
    name: 'duration',
    type: 'number',
    unit: 's',
    sentence: 'How long it took from its first step to its end, what it waited included.',
    source,
    sql: seconds,
  },
  {
    name: 'is_repeated',
    type: 'bool',
    sentence: 'Whether it repeats an earlier run from one of its steps on.',
    source,
    isAlwaysKnown: true,
    sql: sql`(fr.rerun_of is not null)`,
  },
  {
    name: 'depth',
    type: 'number',
    sentence: 'How many flows led to it, one after the other; 0 where none did.',
    source,
    isAlwaysKnown: true,
    sql: sql`cardinality(fr.chain)`,
  },
]
