import { statedBy } from '#features/recognition/confidence.ts'
import { judge, judgementsOfLists, tableOf, tallied, type Judged } from './calibration.ts'
import type { Example } from './recognition-corpus.ts'

/** A statement, and how sure a table that has seen nothing of its maker calls it. */
export interface Stated {
  readonly confidence: number
  readonly isRight: boolean
}

/** Each statement about the examples with the confidence that is fitted on all other makers. */
export const crossValidated = (examples: readonly Example[]): Stated[] =>
  statedByOthers(judge(examples), judgementsOfLists())

/** The maker's list of products is left out of the table as well; nobody is asked about it. */
export function statedByOthers(judged: readonly Judged[], lists: readonly Judged[]): Stated[] {
  const tallies = tallied([...judged, ...lists])
  return [...Map.groupBy(judged, ({ maker }) => maker)].flatMap(([maker, ofMaker]) => {
    const confidenceOf = statedBy(tableOf(tallies.filter((each) => each.maker !== maker)))
    return ofMaker.map(({ kind, isRight }) => ({ confidence: confidenceOf(kind), isRight }))
  })
}
