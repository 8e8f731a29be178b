import { ConditionError } from '#platform/conditions/condition-error.ts'
import type { Vocabulary } from '#platform/conditions/field.ts'
import { parseCondition } from '#platform/conditions/parse.ts'
import { invalid } from '#platform/errors.ts'

/** The text of a condition that can be read; empty stays empty. Throws `invalid`, which names the place. */
export function readCondition(path: string, given: unknown, vocabulary: Vocabulary): string {
  if (typeof given !== 'string') throw invalid(path, 'must be a text')
  if (given.trim() === '') return ''
  try {
    parseCondition(given, vocabulary)
  } catch (error) {
    if (error instanceof ConditionError) throw invalid(path, error.message)
    throw error
  }
  return given.trim()
}
