import { record } from '#features/audit/audit.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, invalid } from '#platform/errors.ts'
import * as store from './stop-store.ts'

export type { FlowStop } from './stop-store.ts'

/** Stops of all flows at once: what is asked for is skipped, what runs ends before its next step, until it is resumed. */

const REASON_LENGTH_MAX = 500

/** Null: flows of the tenant run, unless the installation's are stopped. */
export async function flowStop(ctx: Ctx): Promise<store.FlowStop | null> {
  permit(ctx, 'flows:read')
  return (await store.ofTenant(ctx)) ?? null
}

export async function stopFlows(ctx: Ctx, reason: string): Promise<store.FlowStop> {
  permit(ctx, 'flows:write')
  const why = reasonIn(reason)
  return atomically(ctx, async (inner) => {
    if (!(await store.stop(inner, why))) throw conflict('the flows are stopped already')
    await record(inner, 'flows.stopped', { type: 'tenant', id: inner.tenantId }, { reason: why })
    return (await store.ofTenant(inner)) as store.FlowStop
  })
}

export async function resumeFlows(ctx: Ctx): Promise<void> {
  permit(ctx, 'flows:write')
  await atomically(ctx, async (inner) => {
    if (!(await store.resume(inner))) throw conflict('the flows are not stopped')
    await record(inner, 'flows.resumed', { type: 'tenant', id: inner.tenantId })
  })
}

/** For the owner of the machine, on the command line. */
export async function stopAllFlows(system: Ctx, reason: string): Promise<void> {
  await store.stopInstallation(system, reasonIn(reason))
  system.log.warn({ reason }, 'the flows of all tenants are stopped')
}

export async function resumeAllFlows(system: Ctx): Promise<void> {
  if (!(await store.resumeInstallation(system))) throw conflict('the flows of this server are not stopped')
  system.log.warn('the flows of all tenants run again')
}

function reasonIn(text: string): string {
  const reason = text.trim()
  if (reason === '' || reason.length > REASON_LENGTH_MAX || reason.includes('\0'))
    throw invalid('reason', `must have 1 to ${REASON_LENGTH_MAX} characters`)
  return reason
}
