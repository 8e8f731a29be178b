import { sql, type RawBuilder } from 'kysely'
import { isLimited, type Ctx } from '#platform/context.ts'
import { readByCursor, WIDE_ROWS_AT_ONCE } from '#platform/database/cursor.ts'
import type { Cell } from '../../dataset/dataset.ts'
import { among, reported } from '../asset-rows-store.ts'
import type { Collecting } from '../kind.ts'
import type { KnownHardware } from './asset-facts.ts'

/** What is known of each asset beside its row in the audit, all in the order of the names and ids of the assets. */

const DAY_MS = 86_400_000
const CHANGES_DAYS = 30

/** Origins whose entries are parts of an operating system. */
export const partsOfSystems = ['dpkg', 'rpm', 'apk', 'pacman', 'hotfix', 'os', 'banner', 'snmp'] as const

interface OfAsset extends Readonly<Record<string, Cell>> {
  readonly asset_id: string
  readonly asset: string
}

type Found<R = OfAsset> = AsyncIterable<readonly R[]>

const ofAsset = sql`a.id as asset_id, a.name as asset`
const inOrder = sql`order by a.name collate "C", a.id`

/** The assets of the audit. */
const audited = ({ ctx, assetIds }: Collecting): RawBuilder<unknown> =>
  sql`a.tenant_id = ${ctx.tenantId} and ${reported(assetIds)}`

interface RecordedValue extends OfAsset {
  readonly what: string
  readonly value: string
}

/** What the main table has no column for. A place is its id. */
export function recordedValues(collecting: Collecting): Found<RecordedValue> {
  const { ctx } = collecting
  return readByCursor(
    ctx.db,
    sql<RecordedValue>`
    select ${ofAsset}, f.what, f.value, p.origins -> f.field ->> 'by' as said_by, p.origins -> f.field ->> 'at' as said_at
    from assets a
    join asset_records p on p.tenant_id = ${ctx.tenantId} and p.asset_id = a.id
    cross join lateral (values
      (1, 'Department', 'department', p.department), (2, 'Cost centre', 'costCentre', p.cost_centre),
      (3, 'Place', 'placeId', p.place_id::text), (4, 'Supplier', 'supplier', p.supplier),
      (5, 'Order number', 'orderNumber', p.order_number), (6, 'Lease ends', 'leaseEnds', p.lease_ends::text),
      (7, 'Planned replacement', 'replaceOn', p.replace_on::text),
      (8, 'End of hardware support', 'hardwareEol', p.hardware_eol::text), (9, 'Approved', 'approved', p.approved),
      (10, 'Scanned from outside', 'externallyScannedOn', p.externally_scanned_on::text), (11, 'Notes', 'notes', p.notes)
    ) as f (place, what, field, value)
    where ${audited(collecting)} and f.value is not null ${inOrder}, f.place`,
  )
}

/** The sightings that are one asset, with the identifiers that say so. */
export function observations(collecting: Collecting): Found {
  const { ctx } = collecting
  return readByCursor(
    ctx.db,
    sql<OfAsset>`
    select ${ofAsset}, o.source_name as source, o.source_kind as kind, o.source_key as known_as, i.identifiers,
      o.first_seen, o.last_seen
    from assets a
    join asset_observations o on o.tenant_id = ${ctx.tenantId} and o.asset_id = a.id
    left join lateral (
      select string_agg(i.type || ' ' || i.value, ', ' order by i.place) as identifiers from asset_identifiers i
      where i.tenant_id = ${ctx.tenantId} and i.observation_id = o.id and i.last_seen is null and i.place < 12
    ) i on true
    where ${audited(collecting)} ${inOrder}, o.first_seen, o.id`,
  )
}

type Hardware = KnownHardware & { readonly asset_id: string; readonly asset: string }

export function hardware(collecting: Collecting): Found<Hardware> {
  const { ctx } = collecting
  return readByCursor(
    ctx.db,
    sql<Hardware>`
    select ${ofAsset}, f.cpu_model, a.cpu_count, a.memory_bytes, a.disk_bytes, f.bios, a.booted_at, f.disks, f.modules
    from assets a
    left join lateral (
      select (array_agg(o.payload -> 'facts' ->> 'cpuModel' order by o.last_seen desc, o.id)
          filter (where o.payload -> 'facts' ->> 'cpuModel' <> ''))[1] as cpu_model,
        (array_agg(o.payload -> 'facts' ->> 'biosVersion' order by o.last_seen desc, o.id)
          filter (where o.payload -> 'facts' ->> 'biosVersion' <> ''))[1] as bios,
        (array_agg(o.payload -> 'facts' -> 'disks' order by o.last_seen desc, o.id)
          filter (where jsonb_typeof(o.payload -> 'facts' -> 'disks') = 'array'))[1] as disks,
        (array_agg(o.payload -> 'facts' -> 'modules' order by o.last_seen desc, o.id)
          filter (where jsonb_typeof(o.payload -> 'facts' -> 'modules') = 'array'))[1] as modules
      from asset_observations o where o.tenant_id = ${ctx.tenantId} and o.asset_id = a.id
    ) f on true
    where ${audited(collecting)} ${inOrder}`,
    WIDE_ROWS_AT_ONCE,
  )
}

interface ListedInterfaces extends Omit<OfAsset, string> {
  readonly asset_id: string
  readonly asset: string
  readonly source: string | null
  readonly listed: unknown
  readonly macs: readonly string[] | null
  readonly addresses: readonly string[] | null
}

/** The interfaces as the newest source that lists any has them. */
export function interfaces(collecting: Collecting): Found<ListedInterfaces> {
  const { ctx } = collecting
  return readByCursor(
    ctx.db,
    sql<ListedInterfaces>`
    select ${ofAsset}, f.source_name as source, f.listed, a.macs, a.addresses::text[] as addresses
    from assets a
    left join lateral (
      select o.source_name, o.payload -> 'facts' -> 'interfaces' as listed from asset_observations o
      where o.tenant_id = ${ctx.tenantId} and o.asset_id = a.id
        and jsonb_typeof(o.payload -> 'facts' -> 'interfaces') = 'array'
      order by o.last_seen desc, o.id limit 1
    ) f on true
    where ${audited(collecting)} ${inOrder}`,
    WIDE_ROWS_AT_ONCE,
  )
}

/**
 * Applications one by one; packages of an operating system as one row for each way of packaging. The sets of all assets
 * are joined at once: within a limit the dictionary is counted anew each time that it is read.
 */
export function software(collecting: Collecting): Found {
  const { ctx, assetIds } = collecting
  const { tenantId } = ctx
  const sets = sql`
      from asset_observations o
      join software_sets h on h.tenant_id = ${tenantId} and h.observation_id = o.id`
  const ofAudited = sql`o.tenant_id = ${tenantId} and ${among(assetIds, 'o.asset_id')}`
  return readByCursor(
    ctx.db,
    sql<OfAsset>`
    select ${ofAsset}, held.name, held.version, held.vendor, held.packages
    from (
      select o.asset_id, s.name, nullif(s.version, '') as version, nullif(s.vendor, '') as vendor,
        null::bigint as packages
      ${sets}
      cross join lateral unnest(h.ids) as held (id)
      join software s on s.tenant_id = ${tenantId} and s.id = held.id
      where ${ofAudited} and h.origin <> all (${[...partsOfSystems]}::text[])
      group by o.asset_id, s.name, s.version, s.vendor
      union all
      select o.asset_id, 'Packages of the system (' || h.origin || ')', null, null, max(cardinality(h.ids))
      ${sets}
      where ${ofAudited} and h.origin = any (${[...partsOfSystems]}::text[]) and h.origin <> 'os'
      group by o.asset_id, h.origin
    ) held
    join assets a on a.tenant_id = ${tenantId} and a.id = held.asset_id
    where ${audited(collecting)} ${inOrder}, held.packages nulls first, held.name collate "C",
      held.version collate "C" nulls first, held.vendor collate "C" nulls first`,
  )
}

/** Open ones and those whose risk was accepted, the highest score first. */
export function findings(collecting: Collecting): Found {
  const { ctx } = collecting
  return readByCursor(
    ctx.db,
    sql<OfAsset>`
    select ${ofAsset}, f.cve_id as cve, f.severity, (f.score / 10.0)::numeric(4, 1)::text as score, f.software,
      nullif(f.fixed_version, '') as fixed_in, v.kev_added_on as exploited_since, f.found_at, f.status
    from assets a
    join findings f on f.tenant_id = ${ctx.tenantId} and f.asset_id = a.id and f.status in ('open', 'accepted')
    left join vulnerabilities v on v.tenant_id = ${ctx.tenantId} and v.cve_id = f.cve_id
    where ${audited(collecting)} ${inOrder}, f.score desc, f.cve_id`,
  )
}

/** By the ids of checks; `failingChecks` of a kind gives them their titles. */
export function failures(collecting: Collecting): Found<OfAsset & { readonly check: string }> {
  const { ctx } = collecting
  return readByCursor(
    ctx.db,
    sql<OfAsset & { readonly check: string }>`
    select ${ofAsset}, r.check_id as check, r.since
    from assets a
    join compliance_results r on r.tenant_id = ${ctx.tenantId} and r.asset_id = a.id and r.outcome = 'f'
    where ${audited(collecting)} ${inOrder}, r.since, r.check_id`,
  )
}

const byPeople = ({ tenantId }: Ctx) => sql`
      union all
      select a.id, e.at, 'person', e.action || coalesce(' by ' || e.actor_name, '')
      from assets a
      join audit_entries e on e.tenant_id = ${tenantId} and e.subject_type = 'asset' and e.subject_id = a.id::text
      where a.tenant_id = ${tenantId}`

const byFindings = ({ tenantId }: Ctx) => sql`
      union all
      select f.asset_id, h.at, 'finding', f.cve_id || ' ' || h.status || coalesce(nullif(': ' || h.why, ': '), '')
      from findings f
      join finding_history h on h.tenant_id = ${tenantId} and h.finding_id = f.id
      where f.tenant_id = ${tenantId}`

/**
 * Software, findings, merges, and what people did to the asset, the oldest first. Findings only for who may read them;
 * what people did only for who may read the audit log, and for nobody within a limit.
 */
export function changes(collecting: Collecting): Found {
  const { ctx, period, asOf } = collecting
  const from = period?.from ?? new Date(asOf.getTime() - CHANGES_DAYS * DAY_MS)
  const until = period?.until ?? asOf
  const { tenantId } = ctx
  return readByCursor(
    ctx.db,
    sql<OfAsset>`
    select ${ofAsset}, c.at, c.kind, c.what
    from (
      select o.asset_id, s.at, 'software' as kind, s.kind || ' ' || n.name || ' ' || n.version
        || coalesce(' (was ' || f.version || ')', '') as what
      from asset_observations o
      join software_changes s on s.tenant_id = ${tenantId} and s.observation_id = o.id
      join software n on n.tenant_id = ${tenantId} and n.id = s.software_id
      left join software f on f.tenant_id = ${tenantId} and f.id = s.former_id
      where o.tenant_id = ${tenantId}
      ${ctx.actor.may('vulnerabilities:read') ? byFindings(ctx) : sql``}
      ${isLimited(ctx) || !ctx.actor.may('audit:read') ? sql`` : byPeople(ctx)}
      union all
      select m.asset_id, m.merged_at, 'merge', 'took in ' || m.old_id
      from asset_aliases m where m.tenant_id = ${tenantId}
    ) c
    join assets a on a.tenant_id = ${tenantId} and a.id = c.asset_id
    where ${audited(collecting)} and c.at >= ${from} and c.at < ${until}
    ${inOrder}, c.at, c.kind collate "C", c.what collate "C"`,
  )
}
