import { sql } from 'kysely'
import { searchedIn } from '#platform/conditions/lists/word-search.ts'
import { fieldsOf } from '#platform/conditions/fields/part-fields.ts'
import type { ConditionPart, PartField } from '#platform/conditions/subject.ts'
import { minuteOf } from '#platform/conditions/with-condition.ts'
import type { Ctx } from '#platform/context.ts'

/** What conditions may ask about partners `pa`. They read tables of the directory alone, so nothing of assets. */
export const partnerConditions = (ctx: Ctx): ConditionPart => ({
  subject: 'partner',
  permission: 'partners:read',
  rows: {
    from: sql`partners pa`,
    where: sql`pa.tenant_id = ${ctx.tenantId} and pa.deleted_at is null`,
    id: sql`pa.id`,
    search: searchedIn(sql`lower(pa.name || E'\n' || pa.slug || E'\n' || pa.email)`),
  },
  join: sql`left join (
      select k.partner_id, count(*)::int as keys, max(k.last_used_at) as last_used_at from partner_keys k
      where k.tenant_id = ${ctx.tenantId} and k.revoked_at is null
        and (k.expires_at is null or k.expires_at > ${minuteOf(ctx)}::timestamptz)
      group by k.partner_id) pk on pk.partner_id = pa.id`,
  fields: [...about, ...limits, ...keys],
})

const { bool, instant, number, spelledText, text } = fieldsOf('people')
const api = fieldsOf('partner API')

const about: readonly PartField[] = [
  text('id', 'The id of the partner.', sql`pa.id::text`, { isAlwaysKnown: true }),
  spelledText('name', 'The name of the company.', sql`pa.name`, { isAlwaysKnown: true }),
  spelledText('slug', 'The short name that scripts know the partner by.', sql`pa.slug`, {
    isAlwaysKnown: true,
  }),
  spelledText('email', 'Whom to write to.', sql`pa.email`, { isAlwaysKnown: true }),
  instant('created', 'When the partner was created.', sql`pa.created_at`, { isAlwaysKnown: true }),
  instant('changed', 'When somebody last changed the partner.', sql`pa.updated_at`, { isAlwaysKnown: true }),
]

const limits: readonly PartField[] = [
  bool(
    'api',
    'Whether its API is turned on: its keys are accepted and its webhooks are called.',
    sql`pa.api_enabled`,
    { isAlwaysKnown: true },
  ),
  number('quota', 'How many assets it may have.', sql`pa.quota_limit`, { isAlwaysKnown: true }),
  number('rate_limit', 'How many requests a minute all its keys may make together.', sql`pa.rate_limit`, {
    isAlwaysKnown: true,
  }),
]

const keys: readonly PartField[] = [
  api.number(
    'keys',
    'How many keys it has that are neither revoked nor expired.',
    sql`coalesce(pk.keys, 0)`,
    { isAlwaysKnown: true },
  ),
  api.instant(
    'last_used',
    'When one of these keys was last used; unknown where none was.',
    sql`pk.last_used_at`,
  ),
]
