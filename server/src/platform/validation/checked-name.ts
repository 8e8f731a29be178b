import { hasControlCharacter } from './control-characters.ts'
import { invalid } from '../errors.ts'

/**
 * A name as a person gave it, without blanks around it. Refuses, naming the field, one that is empty or longer than
 * `lengthMax` characters, or holds control characters or half of a surrogate pair: names stand in lists, terminals,
 * files and messages.
 */
export function checkedName(field: string, text: string, lengthMax: number): string {
  const name = text.trim()
  if (name === '' || lengthOf(name) > lengthMax)
    throw invalid(field, `must have 1 to ${lengthMax} characters`)
  refuseUnprintable(field, name)
  return name
}

/** For a single line of text besides names: a value that stands in lists. */
export function refuseUnprintable(field: string, text: string): void {
  if (!text.isWellFormed()) throw invalid(field, 'must not contain half of a surrogate pair')
  if (hasControlCharacter(text))
    throw invalid(field, 'must not contain control characters, such as a line break or an escape')
}

/** In characters, as JSON Schema and PostgreSQL count them, not in UTF-16 units. */
export const lengthOf = (text: string): number => Array.from(text).length
