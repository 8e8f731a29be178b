import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { IdentifierType } from '../observation.ts'

/** Living machines that report one hardware id at the same time: copies of a virtual machine, or boards of one number. */
export interface SharedHardware {
  readonly type: IdentifierType
  readonly value: string
  /** By name, at least two. */
  readonly assets: readonly { readonly id: string; readonly name: string }[]
}

/** The one that says most first. */
const TYPES: readonly IdentifierType[] = ['tpm_ek', 'cloud_id', 'serial', 'smbios_uuid', 'machine_id']

/** Values that identity has set aside because several live machines have them; those that too many have are junk. */
export function sharedHardware(ctx: Ctx): Promise<SharedHardware[]> {
  return ctx.db.all(sql<SharedHardware>`
    select type, value, jsonb_agg(jsonb_build_object('id', id, 'name', name) order by name, id) as assets
    from (
      select distinct s.type, s.value, a.id, a.name
      from asset_shared_values s
      join asset_identifiers i on i.tenant_id = ${ctx.tenantId} and i.value = s.value and i.type = s.type
        and i.last_seen is null
      join asset_observations o on o.tenant_id = ${ctx.tenantId} and o.id = i.observation_id
      join assets a on a.tenant_id = ${ctx.tenantId} and a.id = o.asset_id
        and a.archived_at is null and a.stale_since is null
      where s.tenant_id = ${ctx.tenantId} and s.type = any(${[...TYPES]}::text[])
        and s.why ->> 'because' in ('live_agents', 'stronger_values_differ', 'told_of_many')
    ) held
    group by type, value having count(*) > 1
    order by array_position(${[...TYPES]}::text[], type), value`)
}
