/** The answer of a condition: `null` is unknown, when what it asks about was never collected (Kleene's third value). */
export type Truth = boolean | null
