import { sql, type RawBuilder } from 'kysely'
import type { Row } from '#platform/conditions/field.ts'
import { searchedIn } from '#platform/conditions/lists/word-search.ts'
import { fieldsOf } from '#platform/conditions/fields/part-fields.ts'
import type { ConditionPart, PartField, SubjectRows } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'
import { agentKinds, agentStates, patienceMs } from './agent.ts'

/** Orders a version of an agent against one that a person wrote: see `Field.compareVersion`. */
export type OrderVersions = (row: Row, version: string) => number | undefined

/** What conditions may ask about agents, `ag`, each with the newest version of its kind, `agnew`. */
export const conditionPartsOf = (ctx: Ctx, compareVersion: OrderVersions): readonly ConditionPart[] => [
  {
    subject: 'agent',
    permission: 'agents:read',
    rows: rows(ctx),
    fields: [...texts(compareVersion), state(ctx), ...instants],
  },
  {
    subject: 'agent',
    permission: 'agents:read',
    join: sql`left join (
        select kind, max(${numbersOf(sql`version`)}) as numbers from agents
        where tenant_id = ${ctx.tenantId} and revoked_at is null group by kind) agnew on agnew.kind = ag.kind`,
    fields: [outdated],
  },
]

/** The first numbers in a version, which tell versions of one program apart; null for one without. */
const numbersOf = (version: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`string_to_array(substring(${version} from '[0-9]{1,9}(?:[.][0-9]{1,9})*'), '.')::numeric[]`

const source = 'what agents report'
const { bool, instant, spelledText, text } = fieldsOf(source)

const texts = (compareVersion: OrderVersions): readonly PartField[] => [
  text('id', 'The id of the agent.', sql`ag.id::text`, { isAlwaysKnown: true }),
  spelledText('name', 'The name of its host; what it calls itself until it has reported.', name),
  spelledText('kind', 'Whose program it is.', sql`ag.kind`, { values: agentKinds }),
  {
    name: 'version',
    type: 'version',
    sentence: 'The version of the agent.',
    source,
    label: sql`nullif(ag.version, '')`,
    compareVersion,
  },
  spelledText('address', 'The address that it reports from.', sql`ag.address`),
  spelledText('problem', 'Why its latest report was refused.', sql`ag.problem`),
]

const outdated: PartField = bool(
  'outdated',
  'Whether another agent of its kind reports a newer version.',
  sql`(${numbersOf(sql`ag.version`)} < agnew.numbers)`,
)

const name = sql`coalesce(nullif(ag.name, ''), ag.device_id)`

/** As `stateOf` has it. */
const state = (ctx: Ctx): PartField =>
  text(
    'state',
    'Whether it reports: silent after twice the time in which it should have.',
    sql`(case when ag.revoked_at is not null then 'revoked' when ag.is_pending then 'pending'
    when coalesce(ag.last_report_at, ag.first_seen_at) < ${silentSince(ctx)} then 'silent'
    when ag.last_report_at is null then 'waiting' else 'reporting' end)`,
    { values: agentStates, isAlwaysKnown: true },
  )

const silentSince = (ctx: Ctx): RawBuilder<unknown> =>
  sql`case ag.kind ${sql.join(
    agentKinds.map(
      (kind) => sql`when ${kind} then ${new Date(ctx.now().getTime() - patienceMs(kind))}::timestamptz`,
    ),
    sql` `,
  )} end`

const instants: readonly PartField[] = [
  instant('last_report', 'When its latest report was taken.', sql`ag.last_report_at`),
  instant('last_contact', 'When it was last heard of.', sql`ag.last_contact_at`, { isAlwaysKnown: true }),
  instant('first_seen', 'When it enrolled, or was first heard of.', sql`ag.first_seen_at`, {
    isAlwaysKnown: true,
  }),
]

/** Words are sought in the name of the host, what the agent calls itself and its address. */
const rows = (ctx: Ctx): SubjectRows => ({
  from: sql`agents ag`,
  where: sql`ag.tenant_id = ${ctx.tenantId}`,
  id: sql`ag.id`,
  owner: {
    subject: 'asset',
    join: sql`left join sources agsrc on agsrc.tenant_id = ${ctx.tenantId} and agsrc.kind = ag.kind and agsrc.key = ag.kind
      left join asset_observations agobs on agobs.tenant_id = ${ctx.tenantId} and agobs.source_id = agsrc.id
        and agobs.source_key = ag.source_key
      left join assets a on a.tenant_id = ${ctx.tenantId} and a.id = agobs.asset_id`,
  },
  search: searchedIn(found),
})

const found = sql`lower(concat_ws(' ', ag.name, ag.device_id, ag.address))`
