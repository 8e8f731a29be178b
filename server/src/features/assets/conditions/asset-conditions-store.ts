import { sql, type RawBuilder } from 'kysely'
import { isInNetwork } from '#platform/conditions/evaluate.ts'
import type { ConditionPart, SubjectRows } from '#platform/conditions/subject.ts'
import { textIn, type Row } from '#platform/conditions/field.ts'
import type { Ctx } from '#platform/context.ts'
import { isMatch } from '../listing/search-store.ts'
import { readSearchTerm, type SearchTerm } from '../listing/search-term.ts'
import { searchSpelling } from '#platform/conditions/normalize-text.ts'
import { certificates } from './certificates-store.ts'
import { securityFields } from './security-fields-store.ts'
import { assetFields } from './condition-fields-store.ts'

/** What conditions may ask about assets. The alias of the asset is `a`. */
export const conditionParts = (ctx: Ctx, deviceTypes: readonly string[]): readonly ConditionPart[] => [
  {
    subject: 'asset',
    permission: 'assets:read',
    rows: rows(ctx),
    fields: [...assetFields(deviceTypes), ...securityFields(ctx)],
    collections: [certificates],
  },
]

const rows = (ctx: Ctx): SubjectRows => ({
  from: sql`assets a`,
  where: sql`a.tenant_id = ${ctx.tenantId}`,
  id: sql`a.id`,
  order: { by: sql`a.last_seen`, asNumber: sql`(extract(epoch from a.last_seen) * 1000000)::bigint` },
  usual: { fields: ['archived', 'archived_at', 'archived_by'], where: sql`a.archived_at is null` },
  search: {
    sql: (text) => found(ctx, readSearchTerm(text)),
    texts: {
      'search text': searchText(ctx, sql`s.text`),
      'search attributes': searchText(ctx, sql`s.attributes`),
    },
    test: isFoundInMemory,
  },
})

/** Of a network, as the field `ip` answers; else as the search of the app. */
const found = (ctx: Ctx, term: SearchTerm): RawBuilder<boolean> =>
  term.by === 'network'
    ? sql`coalesce(${term.network}::inet >>= any(a.addresses), false)`
    : sql`coalesce(${isMatch(ctx, term)}, false)`

const searchText = (ctx: Ctx, column: ReturnType<typeof sql>) =>
  sql`(select ${column} from asset_search s where s.tenant_id = ${ctx.tenantId} and s.asset_id = a.id)`

/** The same as `found`. */
function isFoundInMemory(row: Row, text: string): boolean {
  const term = readSearchTerm(text)
  if (term.by === 'network') {
    const addresses = (row['ip'] ?? []) as readonly string[]
    return addresses.some((it) => isInNetwork(it, term.network))
  }
  const [texts, attributes] = [textIn(row, 'search text'), textIn(row, 'search attributes')]
  const sought = searchSpelling(term.text)
  return (
    texts.includes(sought) ||
    attributes.includes(sought) ||
    (term.mac !== undefined && attributes.includes(term.mac))
  )
}
