import type { Ctx } from '#platform/context.ts'
import { allChecks } from '../checks/all-checks.ts'
import type { Check } from '../checks/check.ts'
import { recountExcepted } from '../evaluation/result-store.ts'
import { recountExceptedInControls, type Judging } from './excepted-store.ts'
import { checksWithExceptions, controlsWithExceptions } from './exception-store.ts'

/** Counts again what is excepted from these checks, and in every control with an exception from it; under the lock of the adoptions. */
export async function recountExceptions(ctx: Ctx, checkIds: readonly string[]): Promise<void> {
  for (const checkId of checkIds) await recountExcepted(ctx, checkId)
  const controls = await controlsWithExceptions(ctx)
  const checks = controls.length === 0 ? [] : await allChecks(ctx)
  await recountExceptedInControls(ctx, judgingIn(controls, checks))
}

/** Which of the checks judge which of the controls. */
export const judgingIn = (
  controls: readonly { readonly framework: string; readonly controlId: string }[],
  checks: readonly Check[],
): Judging[] =>
  controls.flatMap(({ framework, controlId }) =>
    checks
      .filter((check) => check.controls[framework]?.includes(controlId))
      .map(({ id: checkId }) => ({ framework, controlId, checkId })),
  )

export const recountAllExceptions = async (ctx: Ctx): Promise<void> =>
  recountExceptions(ctx, await checksWithExceptions(ctx))
