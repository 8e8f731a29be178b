import type { ConditionPart } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'
import { conditionParts } from './condition-parts-store.ts'

/** What conditions may ask about the neighbours of assets. */
export const conditions = (ctx: Ctx): readonly ConditionPart[] => conditionParts(ctx)
