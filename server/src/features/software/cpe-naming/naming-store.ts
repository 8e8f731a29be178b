import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { EntryOrigin } from '../inventory/software-entry.ts'

/** Software with display names, and its names in the CPE dictionary. */
export interface NamedEntry {
  readonly id: number
  readonly origin: EntryOrigin
  readonly name: string
  readonly vendor: string
  readonly vendorKey: string
  readonly productKey: string
}

export function displayedAfter(
  ctx: Ctx,
  id: number,
  { origins, limit }: { readonly origins: readonly string[]; readonly limit: number },
): Promise<NamedEntry[]> {
  return ctx.db.all(sql<NamedEntry>`
    select id, origin, name, vendor, vendor_key as "vendorKey", product_key as "productKey" from software
    where tenant_id = ${ctx.tenantId} and id > ${id} and origin = any(${[...origins]}::text[])
    order by id limit ${limit}`)
}

export async function rename(
  ctx: Ctx,
  names: readonly Pick<NamedEntry, 'id' | 'vendorKey' | 'productKey'>[],
): Promise<void> {
  if (names.length === 0) return
  await ctx.db.run(sql`
    update software s set vendor_key = r."vendorKey", product_key = r."productKey"
    from json_to_recordset(${JSON.stringify(names)}::json) as r(id bigint, "vendorKey" text, "productKey" text)
    where s.tenant_id = ${ctx.tenantId} and s.id = r.id`)
}
