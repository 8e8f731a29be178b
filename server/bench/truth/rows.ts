/** One line of the table of truth: a figure over labelled data, how sure it is, and what it should be. */
export interface TruthRow {
  readonly name: string
  /** How many cases the figure rests on. */
  readonly asked: number
  readonly value: number
  /** The 95 % confidence interval of the value. */
  readonly low: number
  readonly high: number
  /** `at_least` for what should be high, `at_most` for faults; absent where a figure has no goal of its own. */
  readonly goal?: Goal
  /** `share` is shown in percent, `number` as it is. */
  readonly kind: 'share' | 'number'
}

export type Goal = { readonly atLeast: number } | { readonly atMost: number }

/** A part of the table: what one feature is asked, over one folder of the labelled data. */
export interface TruthSection {
  readonly title: string
  /** Below the folder of labelled data; a section whose folder is missing is left out, and the table says so. */
  readonly folder: string
  /** `folder` is the whole path of the section's folder. */
  readonly rows: (folder: string) => Promise<readonly TruthRow[]> | readonly TruthRow[]
}

/** A share of cases, with the interval of Wilson: honest also near 0 and 1. */
export function shareRow(name: string, counted: { asked: number; count: number }, goal?: Goal): TruthRow {
  const { asked, count } = counted
  const [low, high] = wilson(asked, count)
  const value = asked === 0 ? 0 : count / asked
  return { name, asked, value, low, high, kind: 'share', ...(goal && { goal }) }
}

/** Any other figure of a list of cases, with a bootstrap interval: the same cases drawn again, always in the same way. */
export function figureRow<Case>(
  name: string,
  cases: readonly Case[],
  of: (cases: readonly Case[]) => number,
  goal?: Goal,
): TruthRow {
  const next = numbersFrom(SEED)
  const drawn = Array.from({ length: DRAWS }, () =>
    of(cases.map(() => cases[Math.floor(next() * cases.length)]!)),
  ).toSorted((a, b) => a - b)
  const at = (share: number): number => drawn[Math.floor(share * (DRAWS - 1))]!
  return {
    name,
    asked: cases.length,
    value: of(cases),
    low: at(0.025),
    high: at(0.975),
    kind: 'number',
    ...(goal && { goal }),
  }
}

/** Whether the figure itself reaches its goal; rows without a goal always do. */
export function isMet({ value, goal }: TruthRow): boolean {
  if (!goal) return true
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost
}

const Z = 1.96
const DRAWS = 200
const SEED = 18

function wilson(asked: number, count: number): [number, number] {
  if (asked === 0) return [0, 1]
  const share = count / asked
  const middle = share + (Z * Z) / (2 * asked)
  const spread = Z * Math.sqrt((share * (1 - share)) / asked + (Z * Z) / (4 * asked * asked))
  const whole = 1 + (Z * Z) / asked
  return [Math.max(0, (middle - spread) / whole), Math.min(1, (middle + spread) / whole)]
}

/** Numbers from 0 to below 1 that look drawn, and are the same in each run (mulberry32, public domain). */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
