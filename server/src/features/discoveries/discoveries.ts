/** Discoveries: sweeps of a target and logins to every live host, on request or on a schedule, and what came of each. */
import { difference, record } from '#features/audit/audit.ts'
import { cancelScansOfRun, starterOf, targetOf } from '#features/scans/scans.ts'
import { checkedName } from '#platform/validation/checked-name.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, invalid, notFound } from '#platform/errors.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { enqueue } from '#platform/jobs/job.ts'
import { nextTime, timesAfter } from '#platform/jobs/schedule.ts'
import { isUuid, newUuid } from '#platform/uuid.ts'
import {
  hostChanges,
  hostOutcomes,
  loginTypes,
  type Discovery,
  type DiscoveryRun,
  type RunCause,
} from './discovery.ts'
import * as hostStore from './host-store.ts'
import * as runStore from './run-store.ts'
import { runDiscoveryJob } from './running/run-discovery.ts'
import { scheduleNext } from './scheduling/schedule-next.ts'
import { checkedWindows, type Window } from './scheduling/windows.ts'
import * as store from './store.ts'

export { scanNow } from './scan-now.ts'

export interface NewDiscovery {
  readonly name: string
  readonly targetId: string
  /** Absent: all kinds of logins. */
  readonly types?: readonly string[]
  readonly hostsAtOnce?: number
  /** minute hour day month weekday; null or absent: only when somebody starts it */
  readonly cron?: string | null
  readonly zone?: string
  readonly windows?: readonly Window[]
  /** Of the schedule. */
  readonly isEnabled?: boolean
}

const NAME_LENGTH_MAX = 200
const AT_ONCE = { usual: 16, max: 64 }

/** Its schedule begins at once, unless `isEnabled` is false. */
export async function createDiscovery(ctx: Ctx, input: NewDiscovery): Promise<Discovery> {
  permit(ctx, 'scans:write')
  const wanted = checked(ctx, input)
  return atomically(ctx, async (inner) => {
    await targetOf(inner, wanted.targetId)
    const id = newUuid(inner.now())
    if (!(await store.add(inner, id, wanted))) throw nameTaken(wanted.name)
    await scheduleNext(inner, { id, ...wanted })
    const made = await discoveryOf(inner, id)
    await record(inner, 'discovery.created', { type: 'discovery', id }, said(made))
    return made
  })
}

/** What is absent stays. Runs that have begun go on as they were. */
export async function updateDiscovery(
  ctx: Ctx,
  id: string,
  changes: Partial<NewDiscovery>,
): Promise<Discovery> {
  permit(ctx, 'scans:write')
  return atomically(ctx, async (inner) => {
    const before = await lockedDiscovery(inner, id)
    const wanted = checked(inner, { ...before, ...changes })
    await targetOf(inner, wanted.targetId)
    if (await store.isNameTaken(inner, wanted.name, id)) throw nameTaken(wanted.name)
    await store.change(inner, id, wanted)
    await scheduleNext(inner, { id, ...wanted })
    const after = await discoveryOf(inner, id)
    const details = { name: after.name, ...difference(said(before), said(after)) }
    await record(inner, 'discovery.updated', { type: 'discovery', id }, details)
    return after
  })
}

/** Its runs and what they found stay. Refused while one is under way. */
export async function deleteDiscovery(ctx: Ctx, id: string): Promise<void> {
  permit(ctx, 'scans:write')
  await atomically(ctx, async (inner) => {
    const { name } = await lockedDiscovery(inner, id)
    if (await runStore.hasRunUnderWay(inner, id))
      throw conflict('a run of the discovery is under way; cancel it first')
    await store.remove(inner, id)
    await record(inner, 'discovery.deleted', { type: 'discovery', id }, { name })
  })
}

/** By name. */
export async function listDiscoveries(ctx: Ctx): Promise<Discovery[]> {
  permit(ctx, 'scans:read')
  return store.discoveries(ctx)
}

export async function getDiscovery(ctx: Ctx, id: string): Promise<Discovery> {
  permit(ctx, 'scans:read')
  return discoveryOf(ctx, id)
}

const TIMES_SHOWN = 5

/** The next times of a schedule, RFC 3339. */
export function scheduleTimes(ctx: Ctx, cron: string, zone: string): string[] {
  permit(ctx, 'scans:read')
  nextTime({ cron, zone }, ctx.now(), '')
  return timesAfter({ cron, zone }, ctx.now(), TIMES_SHOWN, '').map((time) => time.toISOString())
}

export async function startDiscovery(
  ctx: Ctx,
  id: string,
  cause: RunCause = 'manual',
): Promise<DiscoveryRun> {
  permit(ctx, 'scans:write')
  return atomically(ctx, async (inner) => {
    const discovery = await lockedDiscovery(inner, id)
    const { entries, exclusions } = await targetOf(inner, discovery.targetId)
    const { name, targetId, types, hostsAtOnce, zone, windows } = discovery
    const run = await runStore.addRun(inner, {
      id: newUuid(inner.now()),
      discoveryId: id,
      name,
      cause,
      targetId,
      entries,
      exclusions,
      types,
      hostsAtOnce,
      zone,
      windows,
      startedBy: starterOf(inner),
    })
    if (!run) throw conflict(`a run of ${name} is under way already`)
    await enqueue(inner, runDiscoveryJob, { runId: run.id })
    await record(inner, 'discovery.started', { type: 'discovery_run', id: run.id }, { name, cause })
    return run
  })
}

/** Newest first unless sorted; of one discovery alone, if it is given. */
export async function listRuns(
  ctx: Ctx,
  page: Page,
  query: runStore.RunQuery = {},
): Promise<Listed<DiscoveryRun>> {
  permit(ctx, 'scans:read')
  const { discoveryId } = query
  if (discoveryId !== undefined && !isUuid(discoveryId)) throw notFound('discovery')
  return runStore.runs(ctx, page, query)
}

export async function getRun(ctx: Ctx, id: string): Promise<DiscoveryRun> {
  permit(ctx, 'scans:read')
  return runOf(ctx, id)
}

/** Its scans end within two seconds, on whichever node they run; what they found stays. */
export async function cancelRun(ctx: Ctx, id: string): Promise<DiscoveryRun> {
  permit(ctx, 'scans:write')
  return atomically(ctx, async (inner) => {
    const before = await runOf(inner, id)
    const run = await runStore.finish(inner, id, { status: 'cancelled', message: 'cancelled' })
    if (!run) throw conflict(`the run is ${before.status} already`)
    const scans = await hostStore.openScanIds(inner, id)
    const sweep = run.sweepScanId === null ? [] : [run.sweepScanId]
    await cancelScansOfRun(inner, [...sweep, ...scans], 'cancelled with its discovery')
    await record(inner, 'discovery.cancelled', { type: 'discovery_run', id }, { name: run.name })
    return run
  })
}

export interface HostQuery {
  readonly outcome?: string
  readonly change?: string
}

/** In the order of addresses. */
export async function listHosts(ctx: Ctx, runId: string, { outcome, change }: HostQuery, page: Page) {
  permit(ctx, 'scans:read')
  await runOf(ctx, runId)
  const filter = {
    ...(outcome !== undefined && { outcome: oneOf('outcome', hostOutcomes, outcome) }),
    ...(change !== undefined && { change: oneOf('change', hostChanges, change) }),
  }
  return hostStore.hosts(ctx, runId, filter, page)
}

/** The tenant that a discovery or a run belongs to, for whoever knows the id alone. */
export async function tenantOfDiscovery(system: Ctx, id: string): Promise<string> {
  permit(system, 'scans:read')
  const tenantId = isUuid(id) ? await runStore.tenantOfRun(system, id) : undefined
  if (tenantId === undefined) throw notFound('discovery')
  return tenantId
}

function checked(ctx: Ctx, input: NewDiscovery): store.DiscoveryFields {
  const { targetId, types = loginTypes, hostsAtOnce = AT_ONCE.usual, zone = 'UTC' } = input
  const cron = input.cron === undefined || input.cron === '' ? null : input.cron
  if (!isUuid(targetId)) throw invalid('targetId', 'must be the UUID of a scan target')
  if (!Number.isInteger(hostsAtOnce) || hostsAtOnce < 1 || hostsAtOnce > AT_ONCE.max)
    throw invalid('hostsAtOnce', `must be 1 to ${AT_ONCE.max}`)
  // refuses what is no zone also without a schedule: the windows are in it
  if (cron === null) timesAfter({ cron: '0 0 * * *', zone }, ctx.now(), 1, '')
  else nextTime({ cron, zone }, ctx.now(), '')
  return {
    name: checkedName('name', input.name, NAME_LENGTH_MAX),
    targetId,
    types: [...new Set(types.map((type) => oneOf('types', loginTypes, type)))],
    hostsAtOnce,
    cron,
    zone,
    windows: checkedWindows(input.windows ?? []),
    isEnabled: input.isEnabled ?? true,
  }
}

function oneOf<T extends string>(field: string, words: readonly T[], word: string): T {
  const found = words.find((it) => it === word)
  if (found === undefined) throw invalid(field, `must be one of ${words.join(', ')}`)
  return found
}

async function lockedDiscovery(ctx: Ctx, id: string): Promise<Discovery> {
  if (!isUuid(id) || !(await store.lock(ctx, id))) throw notFound('discovery')
  return discoveryOf(ctx, id)
}

async function discoveryOf(ctx: Ctx, id: string): Promise<Discovery> {
  const found = isUuid(id) ? await store.discovery(ctx, id) : undefined
  if (!found) throw notFound('discovery')
  return found
}

async function runOf(ctx: Ctx, id: string): Promise<DiscoveryRun> {
  const found = isUuid(id) ? await runStore.run(ctx, id) : undefined
  if (!found) throw notFound('discovery run')
  return found
}

const nameTaken = (name: string) => conflict(`name: there is a discovery called ${name} already`)

const said = ({ name, targetId, types, hostsAtOnce, cron, zone, windows, isEnabled }: Discovery) => ({
  name,
  targetId,
  types,
  hostsAtOnce,
  cron,
  zone,
  windows,
  isEnabled,
})
