import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { AssetAttributes, ComputedAsset } from '../asset.ts'

/** What was stored of an asset before it is written. */
export interface AttributesBefore extends Omit<AssetAttributes, 'deviceType'> {
  readonly id: string
  /** Null: not worked out yet. */
  readonly deviceType: string | null
  readonly isArchived: boolean
}

/** Of those assets whose stored attributes are different. */
export function attributesBefore(ctx: Ctx, assets: readonly ComputedAsset[]): Promise<AttributesBefore[]> {
  const rows = assets.map(
    ({
      id,
      name,
      assetType,
      deviceType,
      ipAddress,
      macAddress,
      os,
      hostname,
      serial,
      vendor,
      model,
      tags,
    }) => ({
      id,
      name,
      assetType,
      deviceType,
      ipAddress,
      macAddress,
      os,
      hostname,
      serial,
      vendor,
      model,
      tags,
    }),
  )
  return ctx.db.all(sql<AttributesBefore>`
    select a.id, a.name, a.asset_type as "assetType", a.device_type as "deviceType", a.ip_address as "ipAddress",
      a.mac_address as "macAddress", a.os, a.hostname, a.serial, a.vendor, a.model, a.tags,
      a.archived_at is not null as "isArchived"
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(id uuid, name text, "assetType" text, "deviceType" text,
      "ipAddress" text, "macAddress" text, os text, hostname text, serial text, vendor text, model text, tags text[])
    join assets a on a.tenant_id = ${ctx.tenantId} and a.id = r.id
    where (a.name, a.asset_type, a.device_type, a.ip_address, a.mac_address, a.os, a.hostname, a.serial, a.vendor, a.model,
        a.tags)
      is distinct from (r.name, r."assetType", r."deviceType", r."ipAddress", r."macAddress", r.os, r.hostname, r.serial,
        r.vendor, r.model, r.tags)`)
}
