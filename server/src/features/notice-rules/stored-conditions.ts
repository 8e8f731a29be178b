import { vocabularyWith } from '#features/flows/flows.ts'
import type { StoredCondition } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'
import * as store from './rule-store.ts'

/** Of rules that are on. They are a person's own, so without their names. */
export async function storedConditions(ctx: Ctx): Promise<StoredCondition[]> {
  const rules = (await store.active(ctx)).filter(({ condition }) => condition !== '')
  if (rules.length === 0) return []
  const { vocabulary } = await ctx.conditions.on(ctx, 'asset')
  return rules.map(({ id, condition, eventTypes }) => ({
    kind: 'notice_rule',
    id,
    name: '',
    permission: 'notices:read',
    text: condition,
    vocabulary: vocabularyWith(vocabulary, { kind: 'event', eventTypes }),
  }))
}
