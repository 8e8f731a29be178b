import type { Ctx } from '#platform/context.ts'
import { allChecks } from '../checks/all-checks.ts'
import { recountExcepted } from '../evaluation/result-store.ts'
import { recountExceptedInControls } from './excepted-store.ts'
import { checksWithExceptions, controlsWithExceptions } from './exception-store.ts'

/** Counts again what is excepted from these checks, and in every control with an exception from it; under the lock of the adoptions. */
export async function recountExceptions(ctx: Ctx, checkIds: readonly string[]): Promise<void> {
  for (const checkId of checkIds) await recountExcepted(ctx, checkId)
  const controls = await controlsWithExceptions(ctx)
  const checks = controls.length === 0 ? [] : await allChecks(ctx)
  const judging = controls.flatMap(({ framework, controlId }) =>
    checks
      .filter((check) => check.controls[framework]?.includes(controlId))
      .map(({ id: checkId }) => ({ framework, controlId, checkId })),
  )
  await recountExceptedInControls(ctx, judging)
}

export const recountAllExceptions = async (ctx: Ctx): Promise<void> =>
  recountExceptions(ctx, await checksWithExceptions(ctx))
