import { atomically, type Ctx } from '#platform/context.ts'
import { Refusal } from '#platform/errors.ts'
import { adoptions } from '../adoption-store.ts'
import { allChecks, checksOf } from '../checks/all-checks.ts'
import type { Check } from '../checks/check.ts'
import { compileCheck } from './check-sql-store.ts'
import { judgeControls } from './judge-controls.ts'
import * as store from './result-store.ts'

/**
 * Judges every check that an adopted framework asks for over all assets, each in a transaction of its own, then all
 * controls in one, so that no status is published that half of a round led to. Safe to repeat.
 */
export async function evaluateAll(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  const adopted = (await adoptions(ctx)).map(({ framework }) => framework)
  const checks = checksOf(await allChecks(ctx), adopted)
  for (const check of checks) {
    signal?.throwIfAborted()
    await evaluateCheck(ctx, check)
  }
  await atomically(ctx, async (inner) => {
    await judgeControls(inner)
    await store.removeOthers(
      inner,
      checks.map(({ id }) => id),
    )
  })
}

const NOTHING: store.Counts = { inScope: 0, ok: 0, failed: 0, unknown: 0 }

/** Counts are taken anew, so that none can drift. */
async function evaluateCheck(ctx: Ctx, check: Check): Promise<void> {
  await atomically(ctx, async (inner) => {
    await store.lockState(inner, check.id)
    const compiled = await compileCheck(inner, check).catch(faultOf)
    if (typeof compiled === 'string') {
      const never = { revision: null, judgedAt: null, excepted: 0, fault: compiled }
      return store.writeState(inner, { checkId: check.id, ...NOTHING, ...never })
    }
    const counts = await store.judgeAll(inner, check.id, compiled)
    const excepted = await store.countExcepted(inner, check.id)
    const judgedAt = inner.now().toISOString()
    await store.writeState(inner, {
      checkId: check.id,
      ...counts,
      excepted,
      revision: check.revision,
      judgedAt,
      fault: null,
    })
  })
}

/** A condition that was valid when it was saved, and is not any more, is a fault of the check, not of the round. */
function faultOf(error: unknown): string {
  if (error instanceof Refusal) return error.message
  throw error
}
