import { compareVersions, type Scheme } from '#features/software/software.ts'
import { textIn } from '#platform/conditions/field.ts'
import type { ConditionPart } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'
import { conditionPartsOf } from './agent-conditions-store.ts'

const SCHEME: Scheme = 'generic'

/** What conditions may ask about agents. */
export const conditionParts = (ctx: Ctx): readonly ConditionPart[] =>
  conditionPartsOf(ctx, (row, wanted) => compareVersions(SCHEME, textIn(row, 'version'), wanted))
