import { sql, type RawBuilder } from 'kysely'

/** Columns of a relation that is a query in a statement, found while what asks for them is compiled. */
export interface Columns {
  /** Answers how to ask for it; the same expression is the same column. */
  readonly add: <T>(expression: RawBuilder<T>) => RawBuilder<T>
  /** The expressions with their names. */
  readonly selected: () => readonly RawBuilder<unknown>[]
  /** How many there are by now. */
  readonly width: () => number
}

export function columnsOf(relation: string): Columns {
  const names = new Map<RawBuilder<unknown>, string>()
  return {
    add: <T>(expression: RawBuilder<T>) => {
      const name = names.get(expression) ?? `c${names.size}`
      names.set(expression, name)
      return sql<T>`${sql.ref(`${relation}.${name}`)}`
    },
    selected: () => [...names].map(([expression, name]) => sql`${expression} as ${sql.id(name)}`),
    width: () => names.size,
  }
}
