import { sql } from 'kysely'
import { normalizeText } from '#platform/conditions/normalize-text.ts'
import { searchedIn } from '#platform/conditions/lists/word-search.ts'
import { fieldsOf } from '#platform/conditions/fields/part-fields.ts'
import type { ConditionPart, PartField } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'
import { frameworks, keyOf } from '../catalogue/catalogue.ts'
import { controlStatuses } from '../evaluation/status.ts'

/** What conditions may ask about controls `co` of frameworks, headings not counted. */

const { bool, text } = fieldsOf('compliance')
const judged = fieldsOf('checks and attestations, once its framework is adopted')

export const controlConditions = ({ tenantId }: Ctx): ConditionPart => ({
  subject: 'control',
  permission: 'compliance:read',
  rows: {
    from: sql`(select ${tenantId}::uuid as tenant_id, id, framework, control_id, normalized_control_id, place, section, title,
        normalized_title
      from json_to_recordset(${controls}::json) as listed (id text, framework text, control_id text,
        normalized_control_id text, place text, section text, title text, normalized_title text)) co`,
    where: sql`co.tenant_id = ${tenantId}`,
    id: sql`co.id`,
    idType: 'text',
    tie: byPlace,
    usual: { fields: ['framework', 'is_adopted'], where: sql`ad.framework is not null` },
    search: searchedIn(words),
  },
  join: sql`left join compliance_adoptions ad on ad.tenant_id = ${tenantId} and ad.framework = co.framework
    left join compliance_control_states cc on cc.tenant_id = ${tenantId} and cc.framework = co.framework
      and cc.control_id = co.control_id`,
  fields,
})

const controls = JSON.stringify(
  frameworks.flatMap((framework) =>
    framework.controls
      .filter(({ isHeading }) => !isHeading)
      .map(({ id, parentId, title }) => ({
        id: keyOf(framework.slug, id),
        framework: framework.slug,
        control_id: id,
        normalized_control_id: normalizeText(id),
        place: keyOf(framework.slug, placeOf(id)),
        section: normalizeText(parentId),
        title,
        normalized_title: normalizeText(title),
      })),
  ),
)

/** With its numbers in the same width, so that 1.2 stands before 10.1. */
function placeOf(controlId: string): string {
  return controlId.replaceAll(/\d+/g, (digits) => digits.padStart(6, '0'))
}

/** Words are sought in the id and the title. */
const words = sql`lower(co.control_id || E'\n' || co.title)`

const byPlace = sql`co.place collate "C"`

const status = sql`(case when ad.framework is not null then coalesce(cc.status, 'not_assessed') end)`

const fields: readonly PartField[] = [
  text('id', 'The short name of the framework and the id of the control.', sql`lower(co.id collate "C")`, {
    isAlwaysKnown: true,
    label: sql`co.id`,
  }),
  text(
    'framework',
    'The framework that it is part of; those that are adopted unless a condition asks.',
    sql`co.framework`,
    { values: frameworks.map(({ slug }) => slug), isAlwaysKnown: true },
  ),
  text('control', 'Its id in the framework, such as ID.AM-01.', sql`co.normalized_control_id`, {
    isAlwaysKnown: true,
    label: sql`co.control_id`,
    order: byPlace,
  }),
  text(
    'section',
    'The id of the family, category or control that it is part of.',
    sql`nullif(co.section, '')`,
  ),
  text('title', 'What it is called.', sql`co.normalized_title`, {
    aliases: ['name'],
    isAlwaysKnown: true,
    label: sql`co.title`,
  }),
  bool('is_adopted', 'Whether its framework is adopted.', sql`(ad.framework is not null)`, {
    isAlwaysKnown: true,
  }),
  judged.text('status', 'How it stands; unknown where its framework is not adopted.', status, {
    aliases: ['state'],
    values: ['fail', 'warning', ...controlStatuses.filter((it) => it !== 'fail' && it !== 'warning')], // what fails first
    order: sql`array_position(array['fail', 'warning', 'pass', 'not_applicable', 'not_assessed'], ${status})`,
  }),
  judged.instant('since', 'When its status changed last; unknown where it was never judged.', sql`cc.since`, {
    aliases: ['changed', 'changed_at'],
  }),
  judged.number(
    'failing_assets',
    'How many assets failed when its status changed last, at most a thousand.',
    sql`jsonb_array_length(cc.cause -> 'failing')`,
  ),
]
