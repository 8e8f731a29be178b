import { sql } from 'kysely'
import type { PartField } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'
import { findingStatuses, grades } from '../findings/finding.ts'
import { isExploited } from '../risk/finding-weights-store.ts'
import { severities } from '../severity.ts'

/** The fields of a finding `f` with the facts `v` of its CVE. */

const findings = 'matching software with advisories'
const feeds = 'the feeds EPSS and KEV'

export const findingFields = (ctx: Ctx): readonly PartField[] => [...stored, overrideEnds(ctx)]

const stored: readonly PartField[] = [
  {
    name: 'id',
    type: 'text',
    sentence: 'The id of the finding.',
    source: findings,
    isAlwaysKnown: true,
    sql: sql`f.id::text`,
  },
  {
    name: 'cve',
    type: 'text',
    sentence: 'The id of the vulnerability, such as CVE-2024-3094.',
    source: findings,
    isAlwaysKnown: true,
    sql: sql`f.cve_id`,
    storedAs: 'capitals',
  },
  {
    name: 'severity',
    type: 'text',
    values: severities,
    sentence: 'The effective severity, overrides included.',
    source: findings,
    isAlwaysKnown: true,
    sql: sql`f.severity`,
  },
  {
    name: 'cvss',
    type: 'number',
    unit: '0 to 10',
    sentence: 'The effective CVSS score, overrides included.',
    source: findings,
    isAlwaysKnown: true,
    sql: sql`(f.score::float8 / 10)`,
  },
  {
    name: 'status',
    type: 'text',
    values: findingStatuses,
    sentence: 'Whether it is open, resolved, or closed by an override.',
    source: findings,
    isAlwaysKnown: true,
    sql: sql`f.status`,
  },
  {
    name: 'epss',
    type: 'number',
    unit: '0 to 1',
    sentence: 'The estimated probability that it is exploited within 30 days.',
    source: feeds,
    sql: sql`v.epss`,
  },
  {
    name: 'exploited',
    type: 'bool',
    sentence: 'Whether it is known to be exploited: a KEV catalogue or SSVC says so.',
    source: 'the feeds KEV and CVE List',
    isAlwaysKnown: true,
    sql: isExploited,
  },
  {
    name: 'kev',
    type: 'bool',
    sentence: 'Whether it is listed in a KEV catalogue; see `exploited`.',
    source: feeds,
    isAlwaysKnown: true,
    sql: sql`(v.kev_added_on is not null)`,
  },
  {
    name: 'kev_due',
    type: 'date',
    sentence: 'Until when CISA demands that a known exploited vulnerability is dealt with.',
    source: 'the feed KEV',
    sql: sql`v.kev_due_on`,
  },
  {
    name: 'fixable',
    type: 'bool',
    sentence: 'Whether a version is known that fixes it.',
    source: findings,
    isAlwaysKnown: true,
    sql: sql`(f.fixed_version <> '')`,
  },
  {
    name: 'product',
    type: 'text',
    sentence: 'Name and version of the affected software.',
    source: findings,
    isAlwaysKnown: true,
    // of names of packages, which are ASCII; capitals beyond it stay as they are
    sql: sql`lower(f.software collate "C")`,
    label: sql`f.software`,
  },
  {
    name: 'fixed_version',
    type: 'text',
    sentence: 'The version of the software that fixes it, where one is known; it has no order.',
    source: findings,
    sql: sql`nullif(lower(f.fixed_version collate "C"), '')`,
    label: sql`nullif(f.fixed_version, '')`,
  },
  {
    name: 'match',
    type: 'text',
    values: grades,
    sentence: 'How sure the match is.',
    source: findings,
    isAlwaysKnown: true,
    sql: sql`f.grade`,
  },
  {
    name: 'unconfirmed',
    type: 'bool',
    sentence:
      'Whether the distribution may have built and mended the software, because its packages on the asset are not all known.',
    source: findings,
    isAlwaysKnown: true,
    sql: sql`f.is_unconfirmed`,
  },
  {
    name: 'found_at',
    aliases: ['found'],
    type: 'instant',
    sentence: 'When it was found first on the asset.',
    source: findings,
    isAlwaysKnown: true,
    sql: sql`f.found_at`,
  },
  {
    name: 'changed_at',
    aliases: ['changed'],
    type: 'instant',
    sentence: 'When its status, severity or score changed last.',
    source: findings,
    isAlwaysKnown: true,
    sql: sql`f.changed_at`,
  },
]

const overrideEnds = (ctx: Ctx): PartField => ({
  name: 'override_ends',
  type: 'instant',
  sentence: 'Until when the override holds that closed it, such as an accepted risk; unknown without an end.',
  source: 'people, and VEX documents',
  sql: sql`(select fo.expires_at from finding_overrides fo
      where fo.tenant_id = ${ctx.tenantId} and fo.id = f.override_id)`,
})
