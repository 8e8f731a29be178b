import { sql } from 'kysely'
import { fieldsOf } from '#platform/conditions/fields/part-fields.ts'
import type { ConditionPart, PartCollection, PartField } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'

/** What conditions may ask about the neighbours of assets (`a`). */
export const conditionParts = (ctx: Ctx): readonly ConditionPart[] => [
  { subject: 'asset', permission: 'assets:read', collections: [neighbours(ctx)] },
]

const source = 'SNMP scans and scans that log in to switches'
const { bool, text } = fieldsOf(source)

const fields: readonly PartField[] = [
  bool(
    'known',
    'Whether exactly one asset is known by what the neighbour says of itself.',
    sql`(tl.b_asset is not null)`,
  ),
  text('protocol', 'By which protocol it heard of the neighbour.', sql`tl.kind`, { values: ['lldp', 'cdp'] }),
]

const isNeighbour = sql`kind in ('lldp', 'cdp')`

/** As the job that derives links wrote them last. */
const neighbours = (ctx: Ctx): PartCollection => ({
  name: 'neighbour',
  sentence: 'Devices at the other end of its cables, as it heard of them by LLDP or CDP.',
  source,
  fields,
  isKnown: sql`exists (select from topology_links kl
    where kl.tenant_id = ${ctx.tenantId} and kl.a_asset = a.id and kl.${isNeighbour})`,
  from: sql`topology_links tl`,
  of: sql`tl.tenant_id = ${ctx.tenantId} and tl.a_asset = a.id and tl.${isNeighbour}`,
})
