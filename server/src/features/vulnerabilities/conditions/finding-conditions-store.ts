import { sql } from 'kysely'
import { searchSpelling } from '#platform/conditions/normalize-text.ts'
import type { ConditionPart, PartCollection, PartField, SubjectRows } from '#platform/conditions/subject.ts'
import { textIn, type Row } from '#platform/conditions/field.ts'
import type { Ctx } from '#platform/context.ts'
import { CRITICALITY, EXPOSURE } from '../risk/risk-score.ts'
import { findingFields } from './finding-fields-store.ts'

/** What conditions may ask about findings (`f`), and about the vulnerabilities of assets (`a`). */
export const conditionParts = (ctx: Ctx): readonly ConditionPart[] => [
  { subject: 'finding', permission: 'vulnerabilities:read', rows: rows(ctx), fields: findingFields(ctx) },
  {
    subject: 'asset',
    permission: 'vulnerabilities:read',
    join: sql`left join asset_weights w on w.tenant_id = ${ctx.tenantId} and w.asset_id = a.id
      left join matching_cursors mu on mu.tenant_id = ${ctx.tenantId}
      left join asset_risks r on r.tenant_id = ${ctx.tenantId} and r.asset_id = a.id`,
    fields: weights(ctx),
    collections: [findings(ctx)],
  },
]

const withFacts = (ctx: Ctx) => sql`findings f
  left join vulnerabilities v on v.tenant_id = ${ctx.tenantId} and v.cve_id = f.cve_id`

/** Software was read and matched, or something was found. */
const isAssessed = (ctx: Ctx) => sql<boolean>`(
  exists (select from findings kf where kf.tenant_id = ${ctx.tenantId} and kf.asset_id = a.id)
  or exists (select from matching_cursors mc where mc.tenant_id = ${ctx.tenantId}) and exists (
    select from asset_observations ko join software_sets ks on ks.tenant_id = ${ctx.tenantId} and ks.observation_id = ko.id
    where ko.tenant_id = ${ctx.tenantId} and ko.asset_id = a.id))`

const weights = (ctx: Ctx): readonly PartField[] => [
  {
    name: 'criticality',
    type: 'text',
    values: Object.keys(CRITICALITY),
    neutral: 'normal',
    sentence:
      'How much depends on the asset. Unknown until somebody says it; `criticality = normal` finds those too, which weigh as much.',
    source: 'people',
    sql: sql`(case when w.criticality_said then w.criticality end)`,
  },
  {
    name: 'exposure',
    type: 'text',
    values: Object.keys(EXPOSURE),
    neutral: 'unknown',
    sentence:
      'Whether the asset can be reached from the internet. Unknown until somebody says it: `exposure = unknown` is `not has exposure`.',
    source: 'people',
    sql: sql`nullif(w.exposure, 'unknown')`,
  },
  {
    name: 'feeds_read',
    type: 'instant',
    sentence:
      'As of when the advisories are that findings come from: the oldest sync of the feeds in use. The same for all assets; unknown where no feed is in use.',
    source: 'the feeds that are switched on, or whose files are loaded',
    sql: sql`mu.feeds_read_at`,
  },
  {
    name: 'open_findings',
    type: 'number',
    sentence: 'How many open findings the asset has.',
    source: 'matching software with advisories',
    sql: sql`coalesce(r.open_findings, case when ${isAssessed(ctx)} then 0 end)`,
  },
]

const findings = (ctx: Ctx): PartCollection => ({
  name: 'finding',
  sentence:
    'Vulnerabilities that were found on the asset: open ones, unless the condition asks about the status.',
  source: 'matching software with advisories',
  usual: 'status = open',
  fields: findingFields(ctx),
  isKnown: isAssessed(ctx),
  from: withFacts(ctx),
  of: sql`f.tenant_id = ${ctx.tenantId} and f.asset_id = a.id`,
  ofMany: { where: sql`f.tenant_id = ${ctx.tenantId}`, subjectId: sql`f.asset_id` },
})

/** Words are sought in the id of the CVE, the software, and what names the asset. */
const rows = (ctx: Ctx): SubjectRows => ({
  from: withFacts(ctx),
  where: sql`f.tenant_id = ${ctx.tenantId}`,
  id: sql`f.id`,
  about: sql`f.asset_id`,
  order: { by: sql`f.score`, asNumber: sql`f.score::int` },
  usual: {
    fields: ['asset.archived', 'asset.archived_at', 'asset.archived_by'],
    where: sql`not f.is_archived`,
  },
  owner: {
    subject: 'asset',
    join: sql`left join assets a on a.tenant_id = ${ctx.tenantId} and a.id = f.asset_id`,
  },
  search: {
    sql: (text) => sql`(
      strpos(lower(f.cve_id), ${text.toLowerCase()}) > 0 or strpos(lower(f.software), ${text.toLowerCase()}) > 0
      or f.asset_id in (select s.asset_id from asset_search s
        where s.tenant_id = ${ctx.tenantId} and strpos(s.text, ${searchSpelling(text)}) > 0))`,
    texts: {
      'search words': sql`lower(f.cve_id || E'\n' || f.software)`,
      'search name': sql`(select s.text from asset_search s where s.tenant_id = ${ctx.tenantId} and s.asset_id = f.asset_id)`,
    },
    test: isFound,
  },
})

function isFound(row: Row, text: string): boolean {
  const sought = text.toLowerCase()
  return (
    textIn(row, 'search words').includes(sought) || textIn(row, 'search name').includes(searchSpelling(text))
  )
}
