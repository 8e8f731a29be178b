import { permit, type Ctx } from '#platform/context.ts'
import * as store from './recent-failures-store.ts'

const HOURS = 24

/** Runs that failed within a day, the newest first, 200 at most. */
export function recentFailures(ctx: Ctx): Promise<store.FailedRun[]> {
  permit(ctx, 'flows:read')
  return store.failedSince(ctx, new Date(ctx.now().getTime() - HOURS * 3_600_000))
}
