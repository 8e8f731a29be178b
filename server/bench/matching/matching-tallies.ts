/** Of the answers that were given or expected. */
export interface Score {
  readonly name: string
  readonly hits: number
  readonly falseAlarms: number
  readonly misses: number
  /** Expected to be none, and none. */
  readonly silences: number
}

export interface Tally {
  readonly add: (isFound: boolean, isExpected: boolean) => void
  readonly score: () => Score
}

export function newTally(name: string): Tally {
  const n = { hits: 0, falseAlarms: 0, misses: 0, silences: 0 }
  return {
    add(isFound, isExpected) {
      if (isFound) n[isExpected ? 'hits' : 'falseAlarms']++
      else n[isExpected ? 'misses' : 'silences']++
    },
    score: () => ({ name, ...n }),
  }
}

export function tallyOf(tallies: Map<string, Tally>, name: string): Tally {
  const tally = tallies.get(name) ?? newTally(name)
  tallies.set(name, tally)
  return tally
}

export const scoresOf = (tallies: ReadonlyMap<string, Tally>): Score[] =>
  [...tallies.values()].map((it) => it.score())
