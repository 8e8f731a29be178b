import { sql } from 'kysely'
import { fieldsOf } from '#platform/conditions/fields/part-fields.ts'
import type { ConditionPart, PartField } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'
import { lifeStates } from '../values/asset-record.ts'

const { bool, date, number, text } = fieldsOf('people, and imports that have the column')

const recordText = (name: string, sentence: string): PartField =>
  text(name, sentence, sql.ref(`rec.normalized_${name}`), { label: sql.ref(`rec.${name}`) })

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
  recordText('owner', 'The person or team that it belongs to; a member by e-mail address.'),
  recordText('department', 'The department that uses it.'),
  recordText('cost_centre', 'The cost centre that pays for it.'),
  text('state', 'Where it is in its life, as people record it.', sql`rec.state`, { values: lifeStates }),
]

const purchase: readonly PartField[] = [
  date('purchased', 'When it was bought.', sql`rec.purchased_on`),
  number('price', 'What it cost, in the currency of the record.', sql`rec.price::float8`),
  text('currency', 'The currency of the price (ISO 4217).', sql`rec.currency`, { storedAs: 'capitals' }),
  recordText('supplier', 'Who sold it.'),
  recordText('order_number', 'The number of the order.'),
  date('warranty_ends', 'The last day of the warranty.', sql`rec.warranty_ends`),
  date('lease_ends', 'The last day of the lease.', sql`rec.lease_ends`),
  date('replace_on', 'The planned replacement.', sql`rec.replace_on`),
  date('hardware_eol', 'Until when its maker supports the hardware.', sql`rec.hardware_eol`),
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
  bool(
    'approved',
    'Whether it may be there, as people decided. Unknown until somebody did.',
    sql`(rec.approved = 'yes')`,
  ),
  date(
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
