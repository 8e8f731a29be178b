/** Scans: looking at the network on request, and the targets that may be looked at. */
import { type Scan } from './scan.ts'
import { record } from '#features/audit/audit.ts'
import type { ListQuery } from '#platform/conditions/lists/subject-page.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, invalid, notFound } from '#platform/errors.ts'
import { enqueue, longJob } from '#platform/jobs/job.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { isUuid } from '#platform/uuid.ts'
import { finishScan } from './running/finish-scan.ts'
import { scanTopic } from './live-topic.ts'
import { probes } from './probes/all.ts'
import { scanTypes, type ScanStatus, type ScanType } from './scan-status.ts'
import * as store from './store.ts'
import { asProbeTarget, type Target } from './targets/target.ts'
import { targetOf } from './targets/targets.ts'

export { scanTypes } from './scan-status.ts'
export {
  addScanOfRun,
  cancelScansOfRun,
  offerFor,
  openPortsOfRun,
  runScanOfRun,
} from './running/part-of-run.ts'
export { stopsText } from './running/scan-message.ts'
export { spanOfAddress, spansWithout, spanText } from './targets/address-span.ts'
export { Governor } from './probes/governor/governor.ts'
export { carryOutScan } from './remote/carry-out-scan.ts'
export { coveringTargets, isRangeCovering } from './targets/covering-targets.ts'
export { createTarget, deleteTarget, listTargets, targetOf, updateTarget } from './targets/targets.ts'

export interface NewScan {
  readonly type: string
  readonly targetId: string
}

/** More tries than `run-scan.ts` allows a scan, so that the scan fails, with a reason, and not the job. */
const TRIES_MAX = 10
export const runScanJob = longJob<{ scanId: string }>('scans.run', TRIES_MAX)

/** Queues a scan: it exists, pending, if and only if the job that runs it does. */
export async function createScan(ctx: Ctx, input: NewScan): Promise<Scan> {
  permit(ctx, 'scans:write')
  if (!isUuid(input.targetId)) throw invalid('target', 'must be the UUID of a scan target')
  const type = scanTypes.find((known) => known === input.type)
  if (!type) throw invalid('type', `must be one of ${scanTypes.join(', ')}`)
  return atomically(ctx, async (inner) => {
    const target = await targetOf(inner, input.targetId)
    refuseUnfit(type, target)
    const scan = await store.addScan(inner, {
      type,
      targetId: target.id,
      aim: target,
      message: 'waiting for a worker',
      startedBy: starterOf(inner),
    })
    await enqueue(inner, runScanJob, { scanId: scan.id })
    inner.db.afterCommit(scanTopic(inner.tenantId))
    await record(inner, 'scan.created', { type: 'scan', id: scan.id }, { type, target: target.address })
    return scan
  })
}

/** Newest first; of one status alone, if it is given. */
export async function listScans(ctx: Ctx, page: Page, status?: ScanStatus): Promise<Listed<Scan>> {
  permit(ctx, 'scans:read')
  return store.scans(ctx, page, status)
}

/** Those for which a condition holds; newest first unless sorted. */
export async function queryScans(ctx: Ctx, page: Page, query: ListQuery): Promise<Listed<Scan>> {
  permit(ctx, 'scans:read')
  return store.scansWhere(ctx, page, query)
}

export async function getScan(ctx: Ctx, id: string): Promise<Scan> {
  permit(ctx, 'scans:read')
  return scanOf(ctx, id)
}

/** A running scan notices within two seconds, on whichever node it runs; what it found stays. */
export async function cancelScan(ctx: Ctx, id: string): Promise<Scan> {
  permit(ctx, 'scans:write')
  return atomically(ctx, async (inner) => {
    const scan = await scanOf(inner, id)
    const cancelled = await finishScan(inner, id, { move: 'cancel', message: 'cancelled' })
    if (!cancelled) throw conflict(`the scan is ${(await scanOf(inner, id)).status} already`)
    await record(
      inner,
      'scan.cancelled',
      { type: 'scan', id },
      { type: scan.type, target: scan.targetAddress },
    )
    return cancelled
  })
}

/** The tenant that a target belongs to, for whoever knows the id alone. */
export const tenantOfTarget = (system: Ctx, id: string): Promise<string> =>
  tenantOf(system, 'scan target', id)

export const tenantOfScan = (system: Ctx, id: string): Promise<string> => tenantOf(system, 'scan', id)

async function tenantOf(system: Ctx, what: string, id: string): Promise<string> {
  permit(system, 'scans:read')
  const tenantId = isUuid(id) ? await store.tenantOf(system, id) : undefined
  if (tenantId === undefined) throw notFound(what)
  return tenantId
}

async function scanOf(ctx: Ctx, id: string): Promise<Scan> {
  const scan = isUuid(id) ? await store.scan(ctx, id) : undefined
  if (!scan) throw notFound('scan')
  return scan
}

/** Who starts a scan, for the log of what was shown to hosts on whose behalf. */
export const starterOf = ({ actor: { kind, id, name } }: Ctx): object => ({
  kind,
  id,
  ...(name !== undefined && { name }),
})

/** A range is swept; every other type looks at one host. Types without a probe are refused, not accepted and failed. */
function refuseUnfit(type: ScanType, target: Target): void {
  if (target.kind !== 'host' && type !== 'sweep')
    throw invalid('type', `${type} scans one host, and the target is the range ${target.address}; use sweep`)
  const probe = probes.find((it) => it.type === type)
  if (!probe) {
    const available = probes.map((it) => it.type).join(', ')
    throw invalid('type', `${type} scans are not available on this server; available: ${available}`)
  }
  const accepted = probe.accepts(asProbeTarget(target))
  if (accepted !== true) throw invalid('target', accepted)
}
