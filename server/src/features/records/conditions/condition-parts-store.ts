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

export const conditionParts = (ctx: Ctx): readonly ConditionPart[] => [
  {
    subject: 'asset',
    permission: 'assets:read',
    join: sql`left join asset_records rec on rec.tenant_id = ${ctx.tenantId} and rec.asset_id = a.id`,
    fields: [...belonging, site, ...purchase],
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
