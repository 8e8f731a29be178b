import { sql, type RawBuilder } from 'kysely'
import { normalizedBySql } from '#platform/conditions/lists/normalized-by-sql.ts'
import { searchedIn } from '#platform/conditions/lists/word-search.ts'
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
  fields: [...told, ...limits, ...keys],
})

const source = 'people'

const textField = (name: string, value: RawBuilder<unknown>, sentence: string): PartField => ({
  name,
  type: 'text',
  sentence,
  source,
  isAlwaysKnown: true,
  sql: normalizedBySql(value),
  label: value,
})

const told: readonly PartField[] = [
  {
    name: 'id',
    type: 'text',
    sentence: 'The id of the partner.',
    source,
    isAlwaysKnown: true,
    sql: sql`pa.id::text`,
  },
  textField('name', sql`pa.name`, 'The name of the company.'),
  textField('slug', sql`pa.slug`, 'The short name that scripts know the partner by.'),
  textField('email', sql`pa.email`, 'Whom to write to.'),
  {
    name: 'created',
    type: 'instant',
    sentence: 'When the partner was created.',
    source,
    isAlwaysKnown: true,
    sql: sql`pa.created_at`,
  },
  {
    name: 'changed',
    type: 'instant',
    sentence: 'When somebody last changed the partner.',
    source,
    isAlwaysKnown: true,
    sql: sql`pa.updated_at`,
  },
]

const limits: readonly PartField[] = [
  {
    name: 'api',
    type: 'bool',
    sentence: 'Whether its API is turned on: its keys are accepted and its webhooks are called.',
    source,
    isAlwaysKnown: true,
    sql: sql`pa.api_enabled`,
  },
  {
    name: 'quota',
    type: 'number',
    sentence: 'How many assets it may have.',
    source,
    isAlwaysKnown: true,
    sql: sql`pa.quota_limit`,
  },
  {
    name: 'rate_limit',
    type: 'number',
    sentence: 'How many requests a minute all its keys may make together.',
    source,
    isAlwaysKnown: true,
    sql: sql`pa.rate_limit`,
  },
]

const keys: readonly PartField[] = [
  {
    name: 'keys',
    type: 'number',
    sentence: 'How many keys it has that are neither revoked nor expired.',
    source: 'partner API',
    isAlwaysKnown: true,
    sql: sql`coalesce(pk.keys, 0)`,
  },
  {
    name: 'last_used',
    type: 'instant',
    sentence: 'When one of these keys was last used; unknown where none was.',
    source: 'partner API',
    sql: sql`pk.last_used_at`,
  },
]
