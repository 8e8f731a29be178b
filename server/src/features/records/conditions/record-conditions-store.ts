import { sql, type RawBuilder } from 'kysely'
import type { ConditionPart, PartField } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'
import { lifeStates } from '../values/asset-record.ts'

/** What conditions may ask about the records of assets (`a`). */

const source = 'people, and imports that have the column'

const text = (
  name: string,
  sentence: string,
  [normalized, spelled]: readonly [RawBuilder<unknown>, RawBuilder<unknown>],
): PartField => ({ name, type: 'text', sentence, source, sql: normalized, label: spelled })

const day = (name: string, sentence: string, column: RawBuilder<unknown>): PartField => ({
  name,
  type: 'date',
  sentence,
  source,
  sql: column,
})

/** What conditions may ask about the records of assets (`a`). */
export const conditionParts = (ctx: Ctx): readonly ConditionPart[] => [
  {
    subject: 'asset',
    permission: 'assets:read',
    join: sql`left join asset_records rec on rec.tenant_id = ${ctx.tenantId} and rec.asset_id = a.id`,
    fields: [...belonging, site, ...purchase, ...decisions, entitlementExceeded(ctx), segmentMismatch(ctx)],
  },
]

const belonging: readonly PartField[] = [
  text('owner', 'The person or team that it belongs to; a member by e-mail address.', [
    sql`rec.normalized_owner`,
    sql`rec.owner`,
  ]),
  text('department', 'The department that uses it.', [sql`rec.normalized_department`, sql`rec.department`]),
  text('cost_centre', 'The cost centre that pays for it.', [
    sql`rec.normalized_cost_centre`,
    sql`rec.cost_centre`,
  ]),
  {
    name: 'state',
    type: 'text',
    values: lifeStates,
    sentence: 'Where it is in its life, as people record it.',
    source,
    sql: sql`rec.state`,
  },
]

const purchase: readonly PartField[] = [
  day('purchased', 'When it was bought.', sql`rec.purchased_on`),
  {
    name: 'price',
    type: 'number',
    sentence: 'What it cost, in the currency of the record.',
    source,
    sql: sql`rec.price::float8`,
  },
  {
    name: 'currency',
    type: 'text',
    storedAs: 'capitals',
    sentence: 'The currency of the price (ISO 4217).',
    source,
    sql: sql`rec.currency`,
  },
  text('supplier', 'Who sold it.', [sql`rec.normalized_supplier`, sql`rec.supplier`]),
  text('order_number', 'The number of the order.', [sql`rec.normalized_order_number`, sql`rec.order_number`]),
  day('warranty_ends', 'The last day of the warranty.', sql`rec.warranty_ends`),
  day('lease_ends', 'The last day of the lease.', sql`rec.lease_ends`),
  day('replace_on', 'The planned replacement.', sql`rec.replace_on`),
  day('hardware_eol', 'Until when its maker supports the hardware.', sql`rec.hardware_eol`),
]

const site: PartField = {
  name: 'site',
  type: 'text',
  sentence: 'The site where it is: as recorded, else by the longest network of a site that has its address.',
  source: 'places with networks, people, and imports that have the column',
  sql: sql`a.normalized_site`,
  label: sql`a.site`,
}

const decisions: readonly PartField[] = [
  {
    name: 'approved',
    type: 'bool',
    sentence: 'Whether it may be there, as people decided. Unknown until somebody did.',
    source,
    sql: sql`(rec.approved = 'yes')`,
  },
  day(
    'externally_scanned',
    'When somebody scanned it from outside last, such as a service that scans what the internet reaches.',
    sql`rec.externally_scanned_on`,
  ),
]

/** Neither subquery depends on the asset, so each is worked out once for a statement. */
const entitlementExceeded = (ctx: Ctx): PartField => ({
  name: 'entitlement_exceeded',
  type: 'bool',
  sentence:
    'Whether an entitlement that it uses is assigned more often than it allows. Unknown of assets that use none.',
  source: 'entitlements and who uses them',
  sql: sql`(case
    when a.id in (
      select xu.asset_id from entitlement_uses xu
      join entitlements xe on xe.tenant_id = ${ctx.tenantId} and xe.id = xu.entitlement_id
      left join (
        select cu.entitlement_id, count(*) as used from entitlement_uses cu
        left join assets ca on ca.tenant_id = ${ctx.tenantId} and ca.id = cu.asset_id
        where cu.tenant_id = ${ctx.tenantId} and ca.archived_at is null group by cu.entitlement_id
      ) xn on xn.entitlement_id = xe.id
      where xu.tenant_id = ${ctx.tenantId} and xu.asset_id is not null
        and xn.used > xe.count) then true
    when a.id in (
      select ku.asset_id from entitlement_uses ku where ku.tenant_id = ${ctx.tenantId} and ku.asset_id is not null)
      then false end)`,
})

/** By the longest network that has the address, if somebody said what that is meant for. */
const segmentMismatch = (ctx: Ctx): PartField => ({
  name: 'segment_mismatch',
  type: 'bool',
  sentence:
    'Whether one of its addresses is in a network that is meant for other types of assets. Unknown where nobody said what its networks are meant for, or what it is.',
  source: 'networks of places with what they are meant for',
  sql: sql`(select bool_or(not (a.asset_type = any(n.meant_for) or a.device_type = any(n.meant_for)))
    from unnest(a.addresses) as held (address)
    cross join lateral (
      select pn.meant_for from place_networks pn
      where pn.tenant_id = ${ctx.tenantId} and pn.network >>= held.address
      order by masklen(pn.network) desc limit 1) n
    where n.meant_for is not null and a.device_type <> 'unknown')`,
})
