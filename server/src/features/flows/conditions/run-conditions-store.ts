import { sql } from 'kysely'
import { searchedIn } from '#platform/conditions/lists/word-search.ts'
import { fieldsOf } from '#platform/conditions/fields/part-fields.ts'
import type { ConditionPart, PartField } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'
import { runStatuses } from '../running/run.ts'

/** What conditions may ask about runs `fr` of flows `fl`. */

const { bool, instant, number, text } = fieldsOf('the engine of flows')

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
  text('id', 'The id of the run.', sql`fr.id::text`, { isAlwaysKnown: true }),
  text('flow', 'The name of the flow.', sql`fl.normalized_name`, { label: sql`fl.name` }),
  text('flow_id', 'The id of the flow.', sql`fr.flow_id::text`, { isAlwaysKnown: true }),
  number('version', 'Which version of the flow ran.', sql`fr.version`, { isAlwaysKnown: true }),
  text('status', 'How far it is, or how it ended; skipped: a guard did not let it run.', sql`fr.status`, {
    aliases: ['state'],
    values: runStatuses.filter((it) => it !== 'new'),
    isAlwaysKnown: true,
  }),
  // of words of the product, which are ASCII
  text(
    'trigger',
    'What started it: manual, schedule, webhook, query, or the type of an event.',
    sql`lower(fr.cause collate "C")`,
    {
      aliases: ['cause'],
      suggested: ['manual', 'schedule', 'webhook', 'query'],
      isAlwaysKnown: true,
      label: sql`fr.cause`,
    },
  ),
  instant('created_at', 'When it was asked for.', sql`fr.created_at`, {
    aliases: ['created'],
    isAlwaysKnown: true,
  }),
  instant('started_at', 'When its first step began; unknown of a run that never began.', sql`fr.started_at`, {
    aliases: ['started'],
  }),
  instant('finished_at', 'When it ended; unknown of a run that is under way.', sql`fr.finished_at`, {
    aliases: ['finished'],
  }),
  number('duration', 'How long it took from its first step to its end, what it waited included.', seconds, {
    unit: 's',
  }),
  bool(
    'is_repeated',
    'Whether it repeats an earlier run from one of its steps on.',
    sql`(fr.rerun_of is not null)`,
    { isAlwaysKnown: true },
  ),
  number(
    'depth',
    'How many flows led to it, one after the other; 0 where none did.',
    sql`cardinality(fr.chain)`,
    { isAlwaysKnown: true },
  ),
]
