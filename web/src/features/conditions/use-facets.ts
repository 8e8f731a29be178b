import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { FacetsDocument, type FacetsData } from '#api/generated/conditions.ts'
import type { ConditionSubject } from '#api/generated/enums-and-inputs.ts'
import { q } from '#api/query-client.ts'
import { chosenOf, withoutChoice } from './facet-terms.ts'
import { conditionOf, meantBy } from './meant-by.ts'
import type { Narrowing } from './use-condition-draft.ts'

export type Facet = FacetsData['facets'][number]

/** The server counts at most so many fields at once. */
const FIELDS_MAX = 10

/**
 * How often the values of the fields occur in the list. Where values of a field are chosen, its other values are
 * counted as if none were.
 */
export function useFacets(
  subject: ConditionSubject,
  narrowing: Narrowing,
  { fields, first }: { readonly fields: readonly string[]; readonly first: number },
): ReadonlyMap<string, Facet> {
  const answers = useQueries({
    queries: questions(narrowing, fields).map(({ where, asked }) => ({
      ...q(FacetsDocument, {
        subject,
        where: meaningOf(subject, { ...narrowing, where }, asked),
        fields: asked,
        first,
      }),
      placeholderData: keepPreviousData,
    })),
  })
  const facets = answers.flatMap(({ data }) => data?.facets ?? [])
  return new Map(facets.map((facet) => [facet.field, facet]))
}

interface Question {
  readonly where: string
  readonly asked: readonly string[]
}

function questions({ where }: Narrowing, fields: readonly string[]): readonly Question[] {
  const isChosen = (field: string) => {
    const { values, isUnknown } = chosenOf(where, field)
    return isUnknown || values.length > 0
  }
  // open findings are what is counted unless a status is chosen: the statuses themselves are counted over all
  const isAlone = (field: string) => isChosen(field) || field === 'status'
  const together = fields.filter((field) => !isAlone(field)).slice(0, FIELDS_MAX)
  const alone = fields.filter(isAlone)
  return [
    ...(together.length > 0 ? [{ where, asked: together }] : []),
    ...alone.map((field) => ({ where: withoutChoice(where, field), asked: [field] })),
  ]
}

function meaningOf(subject: ConditionSubject, narrowing: Narrowing, asked: readonly string[]): string {
  const where = conditionOf(narrowing)
  return asked.includes('status') ? where : meantBy(subject, where === '' ? EVERYTHING : where)
}

/** Every finding; an empty condition would be every finding of any status. */
const EVERYTHING = 'has id'
