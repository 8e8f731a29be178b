import { composeSubject } from '#platform/conditions/compose-subject.ts'
import type { ConditionPart, StoredCondition, Subject } from '#platform/conditions/subject.ts'
import { permit, type Conditions, type Ctx } from '#platform/context.ts'
import type { Feature } from '#platform/feature.ts'
import { limitedContext } from './limited-context.ts'

/** So a feature's lists can be asked about fields of features below it, which it has never heard of. */
export const conditionsOf = (features: readonly Feature[]): Conditions => ({
  limit: (ctx, condition) => limitedContext(ctx, condition, features),
  async on(ctx, subject) {
    const parts = partsOf(features, ctx)
    for (const { tenantConditions } of features)
      if (tenantConditions) parts.push(...(await tenantConditions(ctx)))
    return subjectFor(ctx, parts, subject)
  },
  subjects: Object.assign({}, ...features.map(({ subjects }) => subjects)) as Readonly<
    Record<string, string>
  >,
  async stored(ctx) {
    const found: StoredCondition[] = []
    for (const { storedConditions } of features) found.push(...((await storedConditions?.(ctx)) ?? []))
    return found
  },
})

/** A subject without what tenants add to it. */
export const sharedSubject = (features: readonly Feature[], ctx: Ctx, subject: string): Subject =>
  subjectFor(ctx, partsOf(features, ctx), subject)

const partsOf = (features: readonly Feature[], ctx: Ctx): ConditionPart[] =>
  features.flatMap((it) => it.conditions?.(ctx) ?? [])

function subjectFor(ctx: Ctx, parts: readonly ConditionPart[], subject: string): Subject {
  const owning = parts.find((it) => it.subject === subject && it.rows)
  if (owning) permit(ctx, owning.permission)
  return composeSubject(
    parts.filter(({ permission }) => ctx.actor.may(permission)),
    subject,
  )
}

/** The names of all subjects. */
export const subjectsOf = (features: readonly Feature[], system: Ctx): Set<string> =>
  new Set(partsOf(features, system).flatMap(({ rows, subject }) => (rows ? subject : [])))
