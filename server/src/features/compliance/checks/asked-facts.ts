import type { Condition } from '#platform/conditions/condition.ts'
import type { Subject } from '#platform/conditions/subject.ts'
import { readCondition } from '#platform/conditions/with-condition.ts'
import { Refusal } from '#platform/errors.ts'
import type { Check } from './check.ts'

/** A fact about assets that a check asks for. */
export interface AskedFact {
  /** As conditions call it: `os_eol`, `software`. */
  readonly name: string
  readonly sentence: string
  /** What tells it where it is unknown: which scan, agent, feed or person. */
  readonly source: string
}

/** In the order of condition and freshness, each once; none where one of these cannot be read any more. */
export function askedFacts(
  subject: Subject,
  { condition, freshness }: Pick<Check, 'condition' | 'freshness'>,
): AskedFact[] {
  try {
    const read = [condition, freshness].flatMap((text) =>
      text === '' ? [] : factsIn(readCondition(subject, 'condition', text)),
    )
    return [...new Map(read.map((fact) => [fact.name, fact])).values()]
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}

function factsIn(condition: Condition): AskedFact[] {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.parts.flatMap(factsIn)
    case 'not':
    case 'named':
      return factsIn(condition.part)
    case 'word':
      return []
    case 'any':
    case 'no':
    case 'count':
      return [factOf(condition.collection)]
    case 'compare':
    case 'in':
    case 'has':
      return [factOf(condition.field)]
  }
}

const factOf = ({ name, sentence, source }: AskedFact): AskedFact => ({ name, sentence, source })
