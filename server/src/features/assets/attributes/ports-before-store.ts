import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { ComputedAsset } from '../asset.ts'
import type { PortsBefore } from './port-changes.ts'

/** Of those of the assets whose stored open ports were collected, and are others than the computed ones. */
export async function portsBefore(ctx: Ctx, assets: readonly ComputedAsset[]): Promise<PortsBefore[]> {
  const rows = assets.flatMap(({ id, facets: { facts } }) =>
    facts.openPorts ? [{ id, openPorts: facts.openPorts }] : [],
  )
  if (rows.length === 0) return []
  return ctx.db.all(sql<PortsBefore>`
    select a.id, a.open_ports as "openPorts", a.known_ports as "knownPorts"
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(id uuid, "openPorts" int[])
    join assets a on a.tenant_id = ${ctx.tenantId} and a.id = r.id
    where a.open_ports <> r."openPorts"`)
}
