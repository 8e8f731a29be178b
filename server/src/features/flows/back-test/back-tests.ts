import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, invalid, notFound } from '#platform/errors.ts'
import { enqueue } from '#platform/jobs/job.ts'
import { isUuid, newUuid } from '#platform/uuid.ts'
import { readDefinition } from '../definition/read-definition.ts'
import * as flows from '../flow-store.ts'
import type { BackTest } from './back-test.ts'
import { backTestJob } from './run-back-test.ts'
import * as store from './back-test-store.ts'

/** Back-tests: what a definition would have run for in the last days. Nothing of it happens. */

/** How many days events are stored. */
export const DAYS_MAX = 30
const KEPT_DAYS = 7
const DAY_MS = 86_400_000

export interface BackTestRequest {
  /** Its newest version, unless a definition is given. */
  readonly flowId?: string | undefined
  /** See `readDefinition`. */
  readonly definition?: unknown
  /** 30 unless given. */
  readonly days?: number | undefined
}

/** The row and the job that works on it, in one commit. */
export async function startBackTest(
  ctx: Ctx,
  { flowId, definition, days = DAYS_MAX }: BackTestRequest,
): Promise<BackTest> {
  permit(ctx, 'flows:write')
  if (!Number.isInteger(days) || days < 1 || days > DAYS_MAX)
    throw invalid('days', `must be a whole number from 1 to ${DAYS_MAX}`)
  return atomically(ctx, async (inner) => {
    const flow = flowId === undefined || !isUuid(flowId) ? undefined : await flows.find(inner, flowId)
    if (flowId !== undefined && !flow) throw notFound('flow')
    const [newest] = flow ? await flows.versions(inner, flow.id) : []
    const tested = definition === undefined ? newest?.definition : await readDefinition(inner, definition)
    if (!tested) throw conflict('name a flow, or give a definition')
    await store.removeOld(inner, new Date(inner.now().getTime() - KEPT_DAYS * DAY_MS))
    const id = newUuid(inner.now())
    const test = await store.add(inner, { id, flowId: flow?.id ?? null, definition: tested, days })
    await enqueue(inner, backTestJob, { id })
    return test
  })
}

export async function getBackTest(ctx: Ctx, id: string): Promise<BackTest> {
  permit(ctx, 'flows:read')
  const found = isUuid(id) ? await store.find(ctx, id) : undefined
  if (!found) throw notFound('back-test')
  return found
}

/** The newest of a flow, of whatever version; null: there was none within a week. */
export async function latestBackTest(ctx: Ctx, flowId: string): Promise<BackTest | null> {
  permit(ctx, 'flows:read')
  if (!isUuid(flowId) || !(await flows.find(ctx, flowId))) throw notFound('flow')
  return (await store.latest(ctx, flowId)) ?? null
}
