import { difference, record } from '#features/audit/audit.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, invalid, notFound } from '#platform/errors.ts'
import { isUuid, newUuid } from '#platform/uuid.ts'
import { enqueueEvaluation } from '../evaluation/evaluation-job.ts'
import { removeSettings, writeSettings } from './check-setting-store.ts'
import type { Check } from './check.ts'
import * as store from './check-store.ts'
import { comparedPart, taken, upgradedFields, type UpgradedField } from './copied-check.ts'
import { shippedChecks } from './shipped-checks.ts'

/** The organisation's copies of shipped checks, which it changes; what later versions of the product change is shown. */

const subjectOf = (id: string) => ({ type: 'compliance_check', id })

/** An own check that says the same and takes the place of the shipped one in every framework. 409 where there is one. */
export async function copyCheck(ctx: Ctx, id: string): Promise<Check> {
  permit(ctx, 'compliance:write')
  const shipped = shippedChecks.find((it) => it.id === id)
  if (!shipped) throw notFound('check')
  return atomically(ctx, async (inner) => {
    const own = await store.ownChecks(inner)
    if (own.some(({ copiedFrom }) => copiedFrom === id)) throw conflict('the check has been copied already')
    if (own.length >= store.OWN_CHECKS_MAX)
      throw invalid('id', `an organisation has at most ${store.OWN_CHECKS_MAX} checks of its own`)
    const copy = { ...shipped, id: newUuid(inner.now()), revision: 1, isOwn: true, copiedFrom: id }
    await store.add(inner, copy)
    await store.setCopied(inner, copy.id, { copiedFrom: id, copied: comparedPart(shipped) })
    await writeSettings(
      inner,
      Object.keys(shipped.controls).map((framework) => ({
        framework,
        checkId: id,
        isOff: true,
        tolerance: null,
      })),
    )
    await record(inner, 'compliance_check.copied', subjectOf(copy.id), { name: copy.title, from: id })
    await enqueueEvaluation(inner)
    return copy
  })
}

/** What the original says otherwise than when it was copied; empty for a check that is no copy. */
export async function upgradeOf(ctx: Ctx, check: Check): Promise<UpgradedField[]> {
  const copied = check.copiedFrom ? await store.copied(ctx, check.id) : undefined
  const shipped = shippedChecks.find(({ id }) => id === check.copiedFrom)
  return copied && shipped ? upgradedFields(check, { copied, shipped }) : []
}

/**
 * Takes what an upgrade changed in the original into the copy, or keeps the copy as it is; what people changed in other
 * fields stays either way. 409 where nothing was changed.
 */
export async function decideUpgrade(
  ctx: Ctx,
  id: string,
  { take }: { readonly take: boolean },
): Promise<Check> {
  permit(ctx, 'compliance:write')
  return atomically(ctx, async (inner) => {
    const own = isUuid(id) ? await store.ownCheck(inner, id) : undefined
    if (!own) throw notFound('check')
    const shipped = shippedChecks.find((it) => it.id === own.copiedFrom)
    const fields = await upgradeOf(inner, own)
    if (!shipped || fields.length === 0) throw conflict('its original has not been changed by an upgrade')
    const after = take ? { ...taken(own, fields), revision: own.revision + 1 } : own
    if (take) await store.update(inner, after)
    await store.setCopied(inner, id, { copiedFrom: shipped.id, copied: comparedPart(shipped) })
    await record(
      inner,
      take ? 'compliance_check.upgrade_taken' : 'compliance_check.upgrade_kept',
      subjectOf(id),
      {
        name: own.title,
        ...difference(own, after),
      },
    )
    if (take) await enqueueEvaluation(inner)
    return after
  })
}

/** In the transaction that deletes a copy: the shipped check counts again. */
export async function restoreOriginal(ctx: Ctx, { copiedFrom }: Check): Promise<void> {
  if (copiedFrom) await removeSettings(ctx, copiedFrom)
}
