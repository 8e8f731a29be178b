import { sql } from 'kysely'
import { normalizeText } from '#platform/conditions/normalize-text.ts'
import { searchedIn } from '#platform/conditions/lists/word-search.ts'
import { fieldsOf } from '#platform/conditions/fields/part-fields.ts'
import type { ConditionPart, PartField } from '#platform/conditions/subject.ts'
import { minuteOf } from '#platform/conditions/with-condition.ts'
import type { Ctx } from '#platform/context.ts'
import { checkSeverities } from '../checks/check.ts'
import { shippedChecks } from '../checks/shipped-checks.ts'
import { COVERAGE_PERCENT_MIN, FRESHNESS_HOURS } from '../evaluation/status.ts'

/** What conditions may ask about checks `ck`, those that come with the product and the organisation's own. */

const { bool, text } = fieldsOf('compliance')

export const checkConditions = (ctx: Ctx): ConditionPart => ({
  subject: 'check',
  permission: 'compliance:read',
  rows: {
    from: checks(ctx),
    where: sql`ck.tenant_id = ${ctx.tenantId}`,
    id: sql`ck.id`,
    idType: 'text',
    search: searchedIn(words),
  },
  join: sql`left join (
      select c.check_id, c.failed, c.unknown, least(c.excepted, c.failed) as excepted, c.judged_at, c.fault,
        case when c.judged_at is not null then coalesce(s.assets, 0) end as in_scope
      from compliance_check_states c
      left join compliance_scopes s on s.tenant_id = ${ctx.tenantId} and s.number = c.scope_number
      where c.tenant_id = ${ctx.tenantId}) st on st.check_id = ck.id`,
  fields: [...about, ...counting(ctx), ...found(ctx), ...counts],
})

const shipped = JSON.stringify(
  shippedChecks.map(({ id, title, severity, tolerance, controls, next }) => {
    return { id, title, normalized_title: normalizeText(title), severity, tolerance, controls, next }
  }),
)

const checks = ({ tenantId }: Ctx) => sql`(
    select ${tenantId}::uuid as tenant_id, id, title, normalized_title, severity, tolerance, controls, next, false as is_own,
      false as is_copy
    from json_to_recordset(${shipped}::json) as shipped (id text, title text, normalized_title text, severity text,
      tolerance text, controls jsonb, next text)
    union all
    select tenant_id, id::text, title, normalized_title, severity, tolerance, controls, next_step, true,
      copied_from is not null
    from compliance_checks where tenant_id = ${tenantId}) ck`

/** Words are sought in the title, and in what to do. */
const words = sql`lower(ck.title || E'\n' || ck.next)`

const severityRank = sql`-array_position(${[...checkSeverities]}::text[], ck.severity)`

/** Frameworks that it counts for, with the ids of their controls. */
const counted = ({ tenantId }: Ctx) => sql`jsonb_each(ck.controls) as of_framework (slug, ids)
  where jsonb_array_length(of_framework.ids) > 0 and not exists (
    select from compliance_check_settings cs where cs.tenant_id = ${tenantId} and cs.check_id = ck.id
      and cs.framework = of_framework.slug and cs.is_off)`

const about: readonly PartField[] = [
  text('id', 'The id of the check: a short name, or a UUID of one of your own.', sql`ck.id`, {
    isAlwaysKnown: true,
  }),
  text('title', 'What it says of an asset that is in order.', sql`ck.normalized_title`, {
    aliases: ['name'],
    label: sql`ck.title`,
  }),
  text('severity', 'How bad it is where it fails.', sql`ck.severity`, {
    values: checkSeverities,
    isAlwaysKnown: true,
    order: severityRank,
  }),
  bool('is_own', 'Whether it is one of your own; else it comes with the product.', sql`ck.is_own`, {
    isAlwaysKnown: true,
  }),
  bool('is_copy', 'Whether it was copied from a check that comes with the product.', sql`ck.is_copy`, {
    isAlwaysKnown: true,
  }),
]

/** What it counts for. */
const counting = (ctx: Ctx): readonly PartField[] => [
  text(
    'framework',
    'The frameworks that it counts for, by their short names, such as cis-8.1.',
    sql`array(select of_framework.slug from ${counted(ctx)} order by 1)`,
    { isList: true, isAlwaysKnown: true },
  ),
  // of ids that come with the product, which are ASCII
  text(
    'control',
    'The controls that it counts for, such as ID.AM-01.',
    sql`array(select distinct lower(each.id collate "C") from ${controlIds(ctx)})`,
    { isList: true, isAlwaysKnown: true, label: sql`array(select distinct each.id from ${controlIds(ctx)})` },
  ),
]

function controlIds(ctx: Ctx) {
  return sql`(select jsonb_array_elements_text(of_framework.ids) as id from ${counted(ctx)}) each`
}

const round = fieldsOf('a round over all assets: adopt a framework')

const found = (ctx: Ctx): readonly PartField[] => [
  round.text(
    'status',
    'What its last round found, with its own tolerance; unknown where no asset is in its scope.',
    statusSql(minuteOf(ctx)),
    {
      aliases: ['state'],
      values: ['fail', 'warning', 'pass'], // what fails first, the worst severity first
      order: sql`(10 * array_position(array['fail', 'warning', 'pass'], ${statusSql(minuteOf(ctx))}) - ${severityRank})`,
    },
  ),
  round.instant('judged_at', 'When its last round ended.', sql`st.judged_at`, { aliases: ['judged'] }),
  bool('is_broken', 'Whether its condition cannot be read any more.', sql`(st.fault is not null)`, {
    isAlwaysKnown: true,
  }),
]

const counts: readonly PartField[] = [
  round.number('in_scope', 'How many assets it is about.', sql`st.in_scope`),
  round.number(
    'failed',
    'How many assets fail, those under an exception too.',
    sql`(case when st.in_scope is not null then st.failed end)`,
    { aliases: ['failing'] },
  ),
  round.number(
    'excepted',
    'How many of those that fail are under an exception.',
    sql`(case when st.in_scope is not null then st.excepted end)`,
  ),
  round.number(
    'unknown',
    'Of how many assets nobody knows.',
    sql`(case when st.in_scope is not null then st.unknown end)`,
  ),
  round.number('ok', 'How many assets are in order.', sql`greatest(st.in_scope - st.failed - st.unknown, 0)`),
  round.number(
    'failing_share',
    'How large a part of the assets in its scope fails.',
    sql`(st.failed::float8 / nullif(st.in_scope, 0))`,
    { unit: '0 to 1' },
  ),
]

/**
 * As `statusOfCheck` works it out, which the tests hold it against. The instant stands in the question, since answers are
 * remembered (`Db.cached`) and what was judged grows old without a change.
 */
function statusSql(now: Date) {
  const number = sql`regexp_replace(ck.tolerance, '%$', '')::bigint`
  const tolerated = sql`(case when ck.tolerance like '%\%' then st.in_scope * ${number} / 100 else ${number} end)`
  return sql`(case when st.in_scope is null or st.in_scope = 0 then null
    when st.failed - st.excepted > ${tolerated} then 'fail'
    when st.failed > 0 or (st.in_scope - st.unknown) * 100 < st.in_scope * ${COVERAGE_PERCENT_MIN}::int
      or st.judged_at < ${now}::timestamptz - make_interval(hours => ${FRESHNESS_HOURS}::int) then 'warning'
    else 'pass' end)`
}
