import { isIP } from 'node:net'
import { mergedAssets } from '#features/assets/assets.ts'
import { listTenants } from '#features/tenancy/tenancy.ts'
import { fromReplica, permit, type Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import { csvRow } from '#platform/formats/csv.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import type { Reply } from '#platform/http/route.ts'
import { isUuid } from '#platform/uuid.ts'
import type { DeviceTouch } from './device-touch.ts'
import * as store from './touch-store.ts'

/** Of one asset, of one address, or neither: of all devices. */
export interface TouchQuery {
  readonly assetId?: string | undefined
  readonly address?: string | undefined
}

const KEPT_DAYS = 400
const DAY_MS = 24 * 3_600_000
/** Rows that are removed in one transaction. */
const BATCH = 5_000
const EXPORT_MAX = 10_000

/** What scans did to devices, newest first; of the last 400 days. */
export async function listTouches(ctx: Ctx, query: TouchQuery, page: Page): Promise<Listed<DeviceTouch>> {
  permit(ctx, 'scans:read')
  return store.touches(ctx, checked(query), page)
}

/** The same as a CSV file, at most 10,000 rows; a header says when there are more. */
export async function exportTouches(ctx: Ctx, query: TouchQuery): Promise<Reply> {
  const page = { limit: EXPORT_MAX, offset: 0 }
  const { items, total } = await fromReplica(ctx, (there) => listTouches(there, query, page))
  return {
    file: {
      mediaType: 'text/csv',
      content: csvRow(Object.keys(columns)) + items.map((it) => csvRow(cellsOf(it))).join(''),
    },
    headers: {
      'content-disposition': 'attachment; filename="touches.csv"',
      ...(total > EXPORT_MAX && { 'x-export-truncated': 'true' }),
    },
  }
}

const columns: Readonly<Record<string, (touch: DeviceTouch) => string | number>> = {
  began_at: ({ beganAt }) => new Date(beganAt).toISOString(),
  address: ({ address }) => address,
  asset_id: ({ assetId }) => assetId ?? '',
  packets: ({ packets }) => packets,
  is_estimated: ({ isEstimated }) => String(isEstimated),
  probes: ({ probes }) => probes,
  logins: ({ logins }) => logins,
  seconds: ({ seconds }) => seconds,
  scan_type: ({ scanType }) => scanType,
  scan_id: ({ scanId }) => scanId,
  cause: ({ cause }) => cause,
  run: ({ run }) => run?.name ?? '',
  run_id: ({ run }) => run?.id ?? '',
  started_by: ({ startedBy }) => startedBy,
}

const cellsOf = (touch: DeviceTouch) => Object.values(columns).map((cellOf) => cellOf(touch))

/** Assets were merged or deleted: what was done to them belongs to the survivor, or to the address alone. */
export async function followAssets(
  ctx: Ctx,
  gone: { readonly merged: readonly string[]; readonly deleted: readonly string[] },
): Promise<void> {
  if (gone.merged.length > 0) await store.moveToSurvivors(ctx, await mergedAssets(ctx, gone.merged))
  await store.forgetAssets(ctx, gone.deleted)
}

/** Of all tenants, in steps: no lock is held for long. */
export async function removeOldTouches(system: Ctx): Promise<void> {
  const before = new Date(system.now().getTime() - KEPT_DAYS * DAY_MS)
  for (const { id: tenantId } of await listTenants(system))
    while ((await store.removeOld({ ...system, tenantId }, { before, limit: BATCH })) === BATCH);
}

function checked({ assetId, address }: TouchQuery) {
  if (assetId !== undefined && !isUuid(assetId)) throw invalid('assetId', 'must be the UUID of an asset')
  if (address !== undefined && (isIP(address) === 0 || address.includes('%')))
    throw invalid('address', 'must be an IP address')
  return { ...(assetId !== undefined && { assetId }), ...(address !== undefined && { address }) }
}
