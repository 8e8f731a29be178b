import { compareTerm, joinTerms, readCompared, splitTerms } from './condition-terms.ts'

/** What of a field is chosen in a condition: some of its values, or that it is not known. */
export interface Chosen {
  readonly values: readonly string[]
  readonly isUnknown: boolean
}

/** `field = value`, `field in (…)` and `not has field` choose; every other term is the person's own. */
export function chosenOf(where: string, field: string): Chosen {
  const terms = splitTerms(where).filter(({ text }) => isChoice(text, field))
  return {
    values: terms.flatMap(({ text }) => readCompared(text)?.values ?? []),
    isUnknown: terms.some(({ text }) => readCompared(text) === undefined),
  }
}

/** The condition without what is chosen of the field: among what it leaves, the other values are counted. */
export const withoutChoice = (where: string, field: string): string =>
  joinTerms(
    splitTerms(where)
      .map(({ text }) => text)
      .filter((text) => !isChoice(text, field)),
  )

/** Chooses a value of the field or no longer; null is that it is not known. Several values are alternatives. */
export function toggleChoice(where: string, field: string, value: string | null): string {
  const { values, isUnknown } = chosenOf(where, field)
  const others = withoutChoice(where, field)
  if (value === null) return isUnknown ? others : joinTerms([others, compareTerm(field, [])])
  const rest = values.filter((it) => !isSame(it, value))
  const next = rest.length === values.length ? [...values, value] : rest
  return next.length === 0 ? others : joinTerms([others, compareTerm(field, next)])
}

/** The language compares texts whatever their case. */
export const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

function isChoice(term: string, field: string): boolean {
  const compared = readCompared(term)
  if (compared)
    return compared.field === field && (compared.comparison === '=' || compared.comparison === 'in')
  return term.toLowerCase().replaceAll(/\s+/g, ' ') === `not has ${field}`
}
