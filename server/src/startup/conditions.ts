import { composeSubject } from '#platform/conditions/compose-subject.ts'
import { permit, type Conditions, type Ctx } from '#platform/context.ts'
import type { Feature } from '#platform/feature.ts'

/** So a feature's lists can be asked about fields of features below it, which it has never heard of. */
export const conditionsOf = (features: readonly Feature[]): Conditions => ({
  on(ctx, subject) {
    const parts = features.flatMap((it) => it.conditions?.(ctx) ?? [])
    const owning = parts.find((it) => it.subject === subject && it.rows)
    if (owning) permit(ctx, owning.permission)
    return composeSubject(
      parts.filter(({ permission }) => ctx.actor.may(permission)),
      subject,
    )
  },
})

/** All are put together once at the start, so that names given twice are found then. */
export const subjectsOf = (features: readonly Feature[], system: Ctx): Set<string> =>
  new Set(
    features
      .flatMap((it) => it.conditions?.(system) ?? [])
      .flatMap(({ rows, subject }) => (rows ? subject : [])),
  )
