import { expect, test } from 'vitest'
import type { TransactionEnd } from './db.ts'
import { openTransactionEnd } from './transaction-end.ts'

/** A transaction in which these statements were sent, and what its listeners are told. */
function transactionOf(...statements: readonly string[]) {
  const ending = openTransactionEnd()
  const told: TransactionEnd[] = []
  for (let listener = 0; listener < 2; listener += 1) ending.on((end) => told.push(end))
  for (const text of statements) ending.noteStatement(text)
  return { ending, told }
}

const WRITE = 'update assets set name = $1'

test.each<[readonly string[], TransactionEnd, TransactionEnd]>([
  [[WRITE], 'committed', 'committed'],
  [[WRITE], 'undone', 'undone'],
  [[WRITE, 'rollback to savepoint a', WRITE], 'committed', 'unknown'],
  [[' ROLLBACK  TO a'], 'committed', 'unknown'],
  [['rollback to a'], 'undone', 'undone'],
  [['savepoint a', 'release savepoint a'], 'committed', 'committed'],
  [['select 1 -- rollback to'], 'committed', 'committed'],
])('after %j, %s is told as %s', (statements, end, listened) => {
  const { ending, told } = transactionOf(...statements)
  ending.tell(end)
  expect(told).toEqual([listened, listened])
  expect(() => ending.noteStatement(WRITE)).toThrow('the transaction has ended')
})

test('of a commit its answer is told, and without one that nobody knows', async () => {
  const answered = transactionOf(WRITE)
  expect(await answered.ending.told(Promise.resolve('committed'))).toBe('committed')
  expect(answered.told).toEqual(['committed', 'committed'])
  const { ending, told } = transactionOf(WRITE)
  const commit = Promise.withResolvers<TransactionEnd>()
  const telling = ending.told(commit.promise)
  // the connection may be lent to others already
  expect(() => ending.noteStatement(WRITE)).toThrow('the transaction has ended')
  expect(told).toEqual([])
  commit.reject(new Error('the connection is gone'))
  await expect(telling).rejects.toThrow('the connection is gone')
  expect(told).toEqual(['unknown', 'unknown'])
})
