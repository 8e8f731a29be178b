import type { Condition } from '#platform/conditions/condition.ts'
import { ConditionError } from '#platform/conditions/condition-error.ts'
import type { Vocabulary } from '#platform/conditions/field.ts'
import { parseCondition } from '#platform/conditions/parse.ts'

/** The names of the groups that a condition asks about, itself or by way of others; none if it cannot be read. */
export function groupsNamedIn(vocabulary: Vocabulary, text: string): string[] {
  try {
    return namesIn(parseCondition(text, vocabulary))
  } catch (error) {
    if (error instanceof ConditionError) return []
    throw error
  }
}

function namesIn(condition: Condition): string[] {
  if (condition.kind === 'and' || condition.kind === 'or') return condition.parts.flatMap(namesIn)
  if (condition.kind === 'not') return namesIn(condition.part)
  return condition.kind === 'named' ? [condition.name, ...namesIn(condition.part)] : []
}
