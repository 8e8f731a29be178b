import { withinTime } from '#platform/conditions/with-condition.ts'
import { isLimited, permit, type Ctx } from '#platform/context.ts'
import { keyOf } from '../catalogue/catalogue.ts'
import { allChecks } from '../checks/all-checks.ts'
import type { Check } from '../checks/check.ts'
import { simulateControls, type ExceptedMore, type SimulatedControl } from '../simulated-controls.ts'
import type { NewException } from './exception.ts'
import { checkedSubject } from './exception-subject.ts'
import { controlsWithExceptions } from './exception-store.ts'
import * as store from './exception-preview-store.ts'
import { judgingIn } from './recount-exceptions.ts'

/** What an exception would cover if it were in force now; nothing is written. */
export interface ExceptionPreview {
  /** That it applies to, whether or not they fail; null: it applies to whatever fails. */
  readonly assets: number | null
  /** That fail, and would be excepted. */
  readonly failing: number
  /** Of those the number that an exception in force covers already. */
  readonly excepted: number
  /** Of those that would be excepted, by name, at most a hundred. */
  readonly listed: readonly { readonly id: string; readonly name: string }[]
  /** Controls whose status would change; null to who is limited to some of the assets that they are judged over. */
  readonly controls: readonly SimulatedControl[] | null
}

const LISTED_MAX = 100

/** Takes 10 seconds at most, else 400. */
export async function previewException(
  ctx: Ctx,
  input: Omit<NewException, 'reason' | 'owner' | 'expiresAt'>,
): Promise<ExceptionPreview> {
  permit(ctx, 'compliance:read')
  permit(ctx, 'assets:read')
  return withinTime(ctx, 'where', async (inner) => {
    const { checkId, framework, controlId } = await checkedSubject(inner, input)
    const checks = await allChecks(inner)
    const checkIds = checks
      .filter(({ id, controls }) =>
        checkId === undefined ? controls[framework ?? '']?.includes(controlId ?? '') : id === checkId,
      )
      .map(({ id }) => id)
    const target = await store.targetOf(inner, input)
    const control =
      framework === undefined || controlId === undefined ? undefined : { framework, id: controlId }
    const found = await store.covered(inner, { target, checkIds, control, limit: LISTED_MAX })
    const added = new Map(found.checks.map((it) => [it.checkId, it.failing - it.excepted]))
    const change = (excepted: number) => ({ inScope: 0, failed: 0, unknown: 0, excepted })
    const simulated = isLimited(inner)
      ? null
      : control
        ? await simulateControls(inner, new Map(), new Map([[keyOf(control.framework, control.id), added]]))
        : await simulateControls(
            inner,
            new Map([...added].map(([id, n]) => [id, change(n)])),
            await addedInControls(
              inner,
              target,
              checks.filter(({ id }) => id === checkId),
            ),
          )
    return {
      assets: target.assets,
      failing: found.failing,
      excepted: found.excepted,
      listed: found.listed,
      controls: simulated && simulated.controls.filter(({ before, after }) => before !== after),
    }
  })
}

/** In controls with exceptions of their own, which may cover some of the same failures already. */
async function addedInControls(
  ctx: Ctx,
  target: store.Target,
  checks: readonly Check[],
): Promise<ExceptedMore> {
  const judging = judgingIn(await controlsWithExceptions(ctx), checks)
  const rows = Map.groupBy(await store.addedIn(ctx, target, judging), (it) =>
    keyOf(it.framework, it.controlId),
  )
  return new Map(
    [...rows].map(([key, of]) => [key, new Map(of.map(({ checkId, added }) => [checkId, added]))]),
  )
}
