import { permit, type Ctx } from '#platform/context.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { openPortsOf, type OpenPort } from './open-ports.ts'
import { probes } from '../probes/all.ts'
import { RESULTS_MAX } from './results.ts'
import * as store from './scan-host-store.ts'
import { getScan } from '../scans.ts'

/** `new_asset`: this scan was the first of all sources to see it. `appeared`: the scan before did not find it. */
export const hostChanges = ['new_asset', 'appeared', 'changed', 'unchanged'] as const
export type HostChange = (typeof hostChanges)[number]

/** A host that a scan found, with its asset, its open ports, and what differs from the scan before. */
export interface ScanHost {
  readonly id: string
  readonly host: string
  readonly name: string
  readonly seenAt: string
  /** Null when it is gone, nothing was taken in, or the caller may not see assets. */
  readonly asset: store.HostAsset | null
  /** Null: this kind of scan does not say which ports are open. */
  readonly ports: readonly OpenPort[] | null
  /** Null: there is nothing to compare with. */
  readonly change: HostChange | null
  readonly openedPorts: readonly OpenPort[]
  readonly closedPorts: readonly OpenPort[]
  /** Which of name, os, vendor and model are not as they were. */
  readonly changedFields: readonly ComparedField[]
  /** The scan that it was compared with. */
  readonly comparedScanId: string | null
}

const comparedFields = ['name', 'os', 'vendor', 'model'] as const
type ComparedField = (typeof comparedFields)[number]

/** In the order in which they were found. Compared with the scan of the same type and target before it. */
export async function listScanHosts(ctx: Ctx, scanId: string, page: Page): Promise<Listed<ScanHost>> {
  permit(ctx, 'scans:read')
  const { type } = await getScan(ctx, scanId)
  const title = probes.find((it) => it.type === type)?.title ?? ''
  const { items, total } = await store.hosts(ctx, { scanId, source: { kind: type, name: title } }, page)
  const earlier = await store.earlierScan(ctx, scanId)
  const names = [...new Set(items.map(({ host }) => host))]
  const before = earlier ? Map.groupBy(await store.resultsOf(ctx, earlier.id, names), (it) => it.host) : null
  const isAssetVisible = ctx.actor.may('assets:read')
  return {
    total,
    items: items.map((row) => ({
      ...hostOf(row, before?.get(row.host), earlier),
      ...(!isAssetVisible && { asset: null }),
    })),
  }
}

function hostOf(
  row: store.HostRow,
  before: readonly store.ComparedResult[] | undefined,
  earlier: store.EarlierScan | undefined,
): ScanHost {
  const { id, host, label, seenAt, asset } = row
  const previous = before && sameOf(row, before)
  const difference = previous ? differenceOf(previous, row) : NO_DIFFERENCE
  return {
    id,
    host,
    name: label,
    seenAt,
    asset,
    ports: openPortsOf(row.facts) ?? null,
    change: isNewAsset(row) ? 'new_asset' : changeOf(previous, difference, earlier),
    ...difference,
    comparedScanId: earlier?.id ?? null,
  }
}

/** Of several results of one address the one of the same source key, such as a guest of a hypervisor. */
const sameOf = (
  { sourceKey }: store.HostRow,
  before: readonly store.ComparedResult[],
): store.ComparedResult | undefined =>
  before.find((it) => it.sourceKey === sourceKey) ?? (before.length === 1 ? before[0] : undefined)

/** Both instants come from the observation, so clocks of other machines do not matter. */
const isNewAsset = ({ asset, observedAt }: store.HostRow): boolean =>
  asset !== null && observedAt !== null && Date.parse(asset.firstSeen) === Date.parse(observedAt)

type Difference = Pick<ScanHost, 'openedPorts' | 'closedPorts' | 'changedFields'>

const NO_DIFFERENCE: Difference = { openedPorts: [], closedPorts: [], changedFields: [] }

/** A result that was cut may lack ports, so its ports are not compared. */
function differenceOf(previous: store.ComparedResult, now: store.ComparedResult): Difference {
  const [old, current] = [openPortsOf(previous.facts), openPortsOf(now.facts)]
  const areComparable = old && current && !previous.isCut && !now.isCut
  return {
    openedPorts: areComparable ? without(current, old) : [],
    closedPorts: areComparable ? without(old, current) : [],
    changedFields: comparedFields.filter((field) => (previous[field] ?? '') !== (now[field] ?? '')),
  }
}

const without = (ports: readonly OpenPort[], others: readonly OpenPort[]): OpenPort[] =>
  ports.filter((it) => !others.some((other) => other.port === it.port && other.protocol === it.protocol))

function changeOf(
  previous: store.ComparedResult | undefined,
  { openedPorts, closedPorts, changedFields }: Difference,
  earlier: store.EarlierScan | undefined,
): HostChange | null {
  if (previous)
    return openedPorts.length + closedPorts.length + changedFields.length > 0 ? 'changed' : 'unchanged'
  // of a longer scan not every host is stored
  return earlier && earlier.resultCount < RESULTS_MAX ? 'appeared' : null
}
