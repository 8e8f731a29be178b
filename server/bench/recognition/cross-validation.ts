import { statedBy } from '#features/recognition/confidence.ts'
import { judge, judgementsOfLists, tableOf, type Judged } from './calibration.ts'
import type { Example } from './recognition-corpus.ts'

/** A statement, and how sure a table that has seen nothing of its maker calls it. */
export interface Stated {
  readonly confidence: number
  readonly isRight: boolean
}

const FOLDS = 5

/** Each statement about the examples with the confidence that is fitted on the makers of the other folds. */
export const crossValidated = (examples: readonly Example[]): Stated[] =>
  statedByOthers(judge(examples), judgementsOfLists())

/** The lists of a fold's makers are left out of its table as well; nobody is asked about them. */
export function statedByOthers(judged: readonly Judged[], lists: readonly Judged[]): Stated[] {
  const folds = foldsOf(judged)
  return Array.from({ length: FOLDS }, (_, fold) => fold).flatMap((fold) => {
    const isAsked = ({ maker }: Judged): boolean => folds.get(maker) === fold
    const confidenceOf = statedBy(tableOf([...judged, ...lists].filter((each) => !isAsked(each))))
    return judged.filter(isAsked).map(({ kind, isRight }) => ({ confidence: confidenceOf(kind), isRight }))
  })
}

/** Makers of many texts are dealt out first, so that the folds are about as large. The same in each run. */
function foldsOf(judged: readonly Judged[]): ReadonlyMap<string, number> {
  const makers = [...Map.groupBy(judged, ({ maker }) => maker)]
    .toSorted(([a, ofA], [b, ofB]) => ofB.length - ofA.length || (a < b ? -1 : 1))
    .map(([maker]) => maker)
  return new Map(makers.map((maker, at) => [maker, at % FOLDS]))
}
