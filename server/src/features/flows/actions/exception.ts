import { Type } from 'typebox'
import { createException } from '#features/compliance/compliance.ts'
import type { InnerAction } from './action.ts'

const DAY_MS = 86_400_000
const DAYS_MAX = 365

/** Where the tenant requires it, the exception waits for a second person, as any other does. */
export const createExceptionAction: InnerAction = {
  name: 'create_exception',
  kind: 'inner',
  label: 'Except from a check',
  sentence: 'Excepts the asset from a compliance check for a number of days.',
  settings: Type.Object({
    check: Type.String({ title: 'Check', pick: 'check', minLength: 1 }),
    reason: Type.String({ title: 'Reason', minLength: 1, maxLength: 2_000 }),
    days: Type.Integer({ title: 'Days', minimum: 1, maximum: DAYS_MAX }),
  }),
  templates: ['reason'],
  outputs: ['exceptionId', 'state'],
  permission: 'compliance:write',
  needsAsset: true,
  async run(ctx, settings, { assetId = '' }) {
    const { check, reason, days } = settings as { check: string; reason: string; days: number }
    const expiresAt = new Date(ctx.now().getTime() + days * DAY_MS).toISOString()
    const { id, state } = await createException(ctx, { checkId: check, assetId, reason, expiresAt })
    return { exceptionId: id, state }
  },
}
