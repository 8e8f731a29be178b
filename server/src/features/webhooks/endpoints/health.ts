import { permit, type Ctx } from '#platform/context.ts'
import type { EndpointHealth } from './endpoint-health.ts'
import * as store from './health-store.ts'

const HOURS = 24

/** One for each endpoint. */
export async function listHealth(ctx: Ctx): Promise<EndpointHealth[]> {
  permit(ctx, 'webhooks:read')
  return store.health(ctx, HOURS)
}
