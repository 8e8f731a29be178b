import { atomically, type Ctx } from '#platform/context.ts'
import { enqueue } from '#platform/jobs/job.ts'
import { GLOBAL, resourceTypes } from '../cloud-resource.ts'
import * as connections from '../connection-store.ts'
import type { CloudConnection } from '../connection.ts'
import { CloudFault } from '../connectors/cloud-fault.ts'
import type { Pace, Plan } from '../connectors/connector.ts'
import * as costs from '../costs/cost-store.ts'
import { costJob } from '../costs/read-costs.ts'
import * as scopes from '../scope-store.ts'
import { planJob, readJob, type PlanJob } from './cloud-jobs.ts'
import { removeSome } from './run-reading.ts'
import { connectorOf, openSession, PACE } from './session.ts'

const INTERVAL_MS = 3_600_000
/** What is no longer named is gone after so long. */
const RETIRED_FOR_MS = 7 * 86_400_000
const GONE_AT_ONCE = 500

/**
 * Lists the accounts of a connection and queues a job for each reading that is due. The job of the next hour is queued
 * first, so that whatever happens here there is one. Nothing is retired by a plan that did not come to its end.
 */
export async function planConnection(
  ctx: Ctx,
  { connectionId, at, everything }: PlanJob,
  signal: AbortSignal,
  pace: Pace = PACE,
): Promise<void> {
  if (!(await isDue(ctx, connectionId, new Date(at)))) return
  const connection = await connections.connection(ctx, connectionId)
  if (!connection) return
  const deadline = AbortSignal.timeout(pace.deadlineMs)
  const session = await openSession(ctx, connection, AbortSignal.any([signal, deadline]), pace)
  let plan: Plan
  try {
    plan = await connectorOf(connection.provider).plan(session)
  } catch (error) {
    if (signal.aborted || !(deadline.aborted || error instanceof CloudFault)) throw error
    const problem = error instanceof CloudFault ? error.message : 'the accounts could not be listed in time'
    await connections.notePlan(ctx, connectionId, problem, null)
    return
  }
  await adopt(ctx, connection, plan, everything === true)
  await removeLongRetired(ctx, connection)
}

/** Takes the planning, with the job of the next one in the same commit. */
function isDue(ctx: Ctx, id: string, at: Date): Promise<boolean> {
  return atomically(ctx, async (inner) => {
    const next = new Date(Math.max(at.getTime(), inner.now().getTime()) + INTERVAL_MS)
    if (!(await connections.takePlanning(inner, id, at, next))) return connections.isPlanning(inner, id, at)
    await enqueue(inner, planJob, { connectionId: id, at: next.toISOString() }, next)
    return true
  })
}

async function adopt(ctx: Ctx, connection: CloudConnection, plan: Plan, everything: boolean): Promise<void> {
  const { id } = connection
  const named = plan.readings.flatMap(({ key, scopes: of }) => of.map((it) => ({ ...it, reading: key })))
  await atomically(ctx, async (inner) => {
    await scopes.put(inner, id, named)
    await scopes.retire(
      inner,
      id,
      named,
      plan.failures.map(({ account }) => account),
    )
    for (const { account, accountName = '', reason } of plan.failures) {
      if ((await scopes.failAccount(inner, id, account, reason)) > 0) continue
      const never = resourceTypes.map((type) => ({ account, accountName, region: GLOBAL, type, reading: '' }))
      await scopes.put(inner, id, never)
      await scopes.failAccount(inner, id, account, reason)
    }
    await connections.notePlan(inner, id, '', inner.now())
    const keys = plan.readings.map(({ key }) => key)
    if (connection.readsCosts && (await costs.queue(inner, id, false)))
      await enqueue(inner, costJob, { connectionId: id, since: inner.now().toISOString() })
    for (const reading of await scopes.queueDue(inner, id, keys, everything))
      await enqueue(inner, readJob, { connectionId: id, reading })
  })
}

async function removeLongRetired(ctx: Ctx, connection: CloudConnection): Promise<void> {
  const before = new Date(ctx.now().getTime() - RETIRED_FOR_MS)
  for (const { id } of await scopes.longRetired(ctx, connection.id, before)) {
    const going = { scopeId: id, reason: 'its account or region is no longer listed', limit: GONE_AT_ONCE }
    while ((await removeSome(ctx, connection, going)) === GONE_AT_ONCE);
  }
}
