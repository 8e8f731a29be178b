import type { StoredCondition, Subject } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'
import * as store from './saved-views-store.ts'

/** Of the views that people saved, which are their own. */
export async function storedConditions(ctx: Ctx): Promise<StoredCondition[]> {
  const stored = await store.conditions(ctx)
  const whole = { ...ctx, actor: { ...ctx.actor, may: () => true } }
  const subjects = new Map<string, Subject>()
  for (const { subject } of stored)
    if (subject in ctx.conditions.subjects && !subjects.has(subject))
      subjects.set(subject, await ctx.conditions.on(whole, subject))
  return stored.flatMap(({ id, subject, text }) => {
    const vocabulary = subjects.get(subject)?.vocabulary
    const permission = ctx.conditions.subjects[subject]
    return vocabulary && permission ? [{ kind: 'view', id, name: '', permission, text, vocabulary }] : []
  })
}
