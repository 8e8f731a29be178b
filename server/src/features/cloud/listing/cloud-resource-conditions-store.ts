import { sql } from 'kysely'
import { normalizedBySql } from '#platform/conditions/fields/normalized-by-sql.ts'
import { searchedIn } from '#platform/conditions/lists/word-search.ts'
import { fieldsOf } from '#platform/conditions/fields/part-fields.ts'
import type { ConditionPart, PartField, SubjectRows } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'
import { allProviders, allTypes } from '../cloud-resource.ts'

/** What conditions may ask about resources of clouds, `cres`, each with its connection `cconn`. */
export const conditionParts = (ctx: Ctx): readonly ConditionPart[] => [
  {
    subject: 'cloud_resource',
    permission: 'cloud:read',
    rows: rows(ctx),
    join: sql`left join cloud_connections cconn on cconn.tenant_id = ${ctx.tenantId} and cconn.id = cres.connection_id`,
    fields,
  },
]

const { instant, spelledText, text } = fieldsOf('the connections to clouds and clusters')

const fields: readonly PartField[] = [
  text('id', 'The id of the resource here.', sql`cres.id::text`, { isAlwaysKnown: true }),
  spelledText('name', 'The name, as the provider has it.', sql`cres.name`),
  spelledText('provider', 'Who runs it.', sql`cres.provider`, {
    values: allProviders.map((it) => it.toLowerCase()),
  }),
  spelledText('type', 'What it is.', sql`cres.type`, { values: allTypes }),
  spelledText('region', 'The region of the provider.', sql`cres.region`),
  spelledText('account', 'The account, subscription, project or cluster that it is in.', sql`cres.account`),
  spelledText('status', 'Its state, in the words of the provider.', sql`cres.status`),
  spelledText('connection', 'The name of the connection that reads it.', sql`cconn.name`),
  spelledText('native_id', 'The id that the provider gives: an ARN, a resource id.', sql`cres.native_id`),
  text(
    'tag',
    'Its tags or labels at the provider, as `key:value`.',
    sql`(select coalesce(array_agg(${normalizedBySql(sql`ctag`)}), '{}') from unnest(cres.tags) as ctag)`,
    { isList: true, label: sql`cres.tags` },
  ),
  instant('first_seen', 'When it was first listed.', sql`cres.first_seen`, { isAlwaysKnown: true }),
  instant('last_seen', 'When it was last listed.', sql`cres.last_seen`, { isAlwaysKnown: true }),
]

/** Words are sought in name and native id. */
const rows = (ctx: Ctx): SubjectRows => ({
  from: sql`cloud_resources cres`,
  where: sql`cres.tenant_id = ${ctx.tenantId} and cres.gone_at is null`,
  id: sql`cres.id`,
  owner: {
    subject: 'asset',
    join: sql`left join sources csrc on csrc.tenant_id = ${ctx.tenantId} and csrc.kind = 'cloud'
        and csrc.key = cres.connection_id::text
      left join asset_observations cobs on cobs.tenant_id = ${ctx.tenantId} and cobs.source_id = csrc.id
        and cobs.source_key = coalesce(nullif(cres.machine_id, ''), cres.native_id)
      left join assets a on a.tenant_id = ${ctx.tenantId} and a.id = cobs.asset_id`,
  },
  search: searchedIn(sql`lower(cres.name || ' ' || cres.native_id)`),
})
