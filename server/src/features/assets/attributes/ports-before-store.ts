import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { ComputedAsset } from '../asset.ts'
import type { PortsBefore } from './port-changes.ts'

/**
 * Of those of the assets whose stored open ports were collected, and are others than the computed ones; of an asset that
 * others are `joined` to, its own and theirs.
 */
export async function portsBefore(
  ctx: Ctx,
  assets: readonly ComputedAsset[],
  joined: ReadonlyMap<string, readonly string[]>,
): Promise<PortsBefore[]> {
  const rows = assets.flatMap(({ id, facets: { facts } }) =>
    facts.openPorts
      ? [id, ...(joined.get(id) ?? [])].map((was) => ({
          id,
          was,
          isJoined: joined.has(id),
          openPorts: facts.openPorts,
        }))
      : [],
  )
  if (rows.length === 0) return []
  return ctx.db.all(sql<PortsBefore>`
    select r.id, a.open_ports as "openPorts", a.known_ports as "knownPorts"
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(id uuid, was uuid, "isJoined" boolean, "openPorts" int[])
    join assets a on a.tenant_id = ${ctx.tenantId} and a.id = r.was
    where a.open_ports is not null and (r."isJoined" or a.open_ports <> r."openPorts")`)
}
