import type { TransactionEnd } from './db.ts'

/** Tells listeners of one transaction what became of it. */
export interface TransactionEnding {
  readonly on: (listener: (end: TransactionEnd) => void) => void
  /** To be told of each statement. Throws where the transaction has ended: the connection may be lent to others by then. */
  readonly noteStatement: (text: string) => void
  readonly tell: (end: TransactionEnd) => void
  /** Tells how the commit ends, and answers it; without an answer to it, that nobody knows: it may still be made. */
  readonly told: (committing: Promise<TransactionEnd>) => Promise<TransactionEnd>
}

/** Matches a statement that undoes a part of what was written; which part is not known here. */
const TO_SAVEPOINT = /^\s*rollback\s+to\b/i

export function openTransactionEnd(): TransactionEnding {
  const listeners: ((end: TransactionEnd) => void)[] = []
  let isPartlyUndone = false
  let isOver = false
  const tell = (end: TransactionEnd): void => {
    isOver = true
    for (const listener of listeners) listener(isPartlyUndone && end === 'committed' ? 'unknown' : end)
  }
  return {
    on: (listener) => void listeners.push(listener),
    noteStatement(text) {
      if (isOver) throw new Error('the transaction has ended')
      isPartlyUndone ||= TO_SAVEPOINT.test(text)
    },
    tell,
    async told(committing) {
      isOver = true
      try {
        const end = await committing
        tell(end)
        return end
      } catch (error) {
        tell('unknown')
        throw error
      }
    },
  }
}
