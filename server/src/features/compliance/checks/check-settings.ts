import { record } from '#features/audit/audit.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { invalid, notFound } from '#platform/errors.ts'
import { lockAdoptions } from '../adoption-store.ts'
import { frameworkOf } from '../catalogue/catalogue.ts'
import { enqueueEvaluation } from '../evaluation/evaluation-job.ts'
import type { CheckSetting } from './check-setting.ts'
import * as settingStore from './check-setting-store.ts'
import { isTolerance } from './check.ts'
import * as store from './check-store.ts'
import { shippedChecks } from './shipped-checks.ts'

/** Switches a check off for a framework, or on again, and says how many failures the framework tolerates. */

/** Controls that the check alone judged lose their status with the round that this asks for. */
export async function setCheckSetting(ctx: Ctx, setting: CheckSetting): Promise<CheckSetting> {
  permit(ctx, 'compliance:write')
  const { framework, checkId, tolerance } = setting
  if (!frameworkOf(framework)) throw notFound('framework')
  if (tolerance !== null && !isTolerance(tolerance))
    throw invalid('tolerance', 'must be a number, or a share such as 2%')
  return atomically(ctx, async (inner) => {
    await lockAdoptions(inner)
    const check = [...shippedChecks, ...(await store.ownChecks(inner))].find(({ id }) => id === checkId)
    if (!check) throw notFound('check')
    if (!check.controls[framework]) throw invalid('framework', 'has no control that the check counts for')
    const before = (await settingStore.settingsOf(inner, checkId)).find((it) => it.framework === framework)
    await settingStore.writeSettings(inner, [setting])
    const subject = { type: 'compliance_check', id: checkId }
    await record(inner, 'compliance_check.set', subject, {
      name: check.title,
      before: before ?? null,
      after: setting,
    })
    await enqueueEvaluation(inner)
    return setting
  })
}
