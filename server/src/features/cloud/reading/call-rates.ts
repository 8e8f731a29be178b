import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '#platform/context.ts'
import type { CallRates, Pace } from '../connectors/connector.ts'
import { countThrottled } from '../total-store.ts'
import * as store from './call-rate-store.ts'

/**
 * Spaces the calls that share a limit of the provider, in all processes of the installation: the next free moment of
 * each bucket is a row. Throttling halves the rate, twenty calls that succeeded add one a second.
 */
export function callRates(
  ctx: Ctx,
  connectionId: string,
  signal: AbortSignal,
  rate: Pace['callRate'],
): CallRates {
  const of = (bucket: string) => ({ connectionId, bucket, rate })
  return {
    async take(bucket) {
      const waitMs = await store.take(ctx, of(bucket))
      if (waitMs > 0) await sleep(waitMs, undefined, { signal })
    },
    async throttled(bucket) {
      await store.slowDown(ctx, of(bucket))
      await countThrottled(ctx)
    },
  }
}
