import { noteEffects } from '#features/changes/changes.ts'
import type { Ctx, Happening } from '#platform/context.ts'
import { Refusal } from '#platform/errors.ts'
import { compileCheck } from '../evaluation/check-sql-store.ts'
import * as store from './check-store.ts'

/** While a change is only tried that takes fields or values away: notes the organisation's own checks that name them. */
export async function noteUnreadableChecks(ctx: Ctx, happenings: readonly Happening[]): Promise<void> {
  if (!ctx.trial || !ctx.actor.may('compliance:read')) return
  const names = happenings.flatMap(({ body }) => (JSON.parse(body.toString()) as { names: string[] }).names)
  for (const check of await store.ownChecks(ctx)) {
    const fault = await compileCheck(ctx, check).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof Refusal) return error
        throw error
      },
    )
    if (!names.some((it) => fault?.message.includes(it))) continue
    const becomes = [['condition can be read', false] as const]
    noteEffects(ctx, [
      { kind: 'condition_unreadable', type: 'compliance_check', id: check.id, name: check.title, becomes },
    ])
  }
}
