import { ConditionError } from '#platform/conditions/condition-error.ts'
import { parseCondition } from '#platform/conditions/parse.ts'
import type { Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import type { Trigger } from '../flow.ts'
import { flowVocabulary } from './flow-vocabulary.ts'

/** A condition as flows with this trigger ask it, for rooms that ask the same. Throws 400 that names the field. */
export async function checkedCondition(
  ctx: Ctx,
  field: string,
  text: string,
  trigger: Trigger,
): Promise<string> {
  if (text.trim() === '') return ''
  try {
    parseCondition(text, await flowVocabulary(ctx, trigger))
  } catch (error) {
    if (error instanceof ConditionError) throw invalid(field, error.message)
    throw error
  }
  return text.trim()
}
