import type { Condition } from '#platform/conditions/condition.ts'
import { unreachable } from '#platform/errors.ts'

/** What of a condition on assets has a history. */
export type Historic = 'findings' | 'software'

const COLLECTIONS: Readonly<Record<string, Historic>> = { finding: 'findings', software: 'software' }
const FIELDS: Readonly<Record<string, Historic>> = { open_findings: 'findings' }

/** Whether it has a say in the condition. */
export function asksAbout(condition: Condition, what: Historic): boolean {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.parts.some((part) => asksAbout(part, what))
    case 'not':
    case 'named':
      return asksAbout(condition.part, what)
    case 'any':
    case 'no':
    case 'count':
      return COLLECTIONS[condition.collection.name] === what
    case 'compare':
    case 'in':
    case 'has':
      return FIELDS[condition.field.name] === what
    case 'word':
      return false
    default:
      return unreachable(condition)
  }
}
