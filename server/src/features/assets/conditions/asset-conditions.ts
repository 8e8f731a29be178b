import { deviceTypes } from '#features/recognition/recognition.ts'
import type { ConditionPart } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'
import { conditionParts } from './asset-conditions-store.ts'

/** What conditions may ask about assets, of what this feature stores. */
export const conditions = (ctx: Ctx): readonly ConditionPart[] => conditionParts(ctx, deviceTypes)
