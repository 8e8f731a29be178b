import { expect, test } from 'vitest'
import { openFairSlots } from '../slots/fair-slots.ts'
import type { InsertedClaim, Receiver } from './local-worker.ts'
import { openPromisedClaims } from './promised-claims.ts'

const TENANT = 'tenant'
const WORKER = 7
const SLOTS = 64

const claimAt = (endpointSeq: number): InsertedClaim => ({
  id: endpointSeq,
  claimNo: endpointSeq,
  attempts: 0,
  interruptions: 0,
  eventId: String(endpointSeq),
  eventType: 'NEW_SOURCE',
  body: Buffer.from('{}'),
  endpointSeq,
})

const receiverAt = (endpointSeq: number, secret = 'first'): Receiver => ({
  endpointId: String(endpointSeq),
  endpointSeq,
  url: 'http://127.0.0.1/',
  secretSealed: Buffer.from(secret),
  headersSealed: null,
})

/** Endpoint 1 answers quickly, endpoint 2 is new, endpoint 3 is slow; something waits for endpoint 4, which is quick. */
function scene() {
  let now = 0
  let id: number | undefined = WORKER
  let hasBacklog = true
  const fairSlots = openFairSlots(SLOTS, () => now)
  const isQuick = new Map<number, boolean | null>([
    [1, true],
    [2, null],
    [3, false],
    [4, true],
  ])
  const subscribe = (endpointSeq: number, isQuick: boolean | null = true): void =>
    void fairSlots.grant([{ endpointSeq, tenantId: TENANT, isQuick, overdueMs: 0 }])
  for (const [endpointSeq, quick] of isQuick) subscribe(endpointSeq, quick)
  const sent: number[] = []
  const due: number[] = []
  const [lost, waiting, secrets]: [unknown[], number[], string[]] = [[], [], []]
  const promised = openPromisedClaims(
    SLOTS,
    {
      fairSlots,
      workerId: () => id,
      hasBacklog: (seq) => seq === 4 && hasBacklog,
      send(claimed) {
        sent.push(...claimed.map((it) => it.id))
        secrets.push(...claimed.map((it) => it.secretSealed.toString()))
      },
      putBack: (claimed) => Promise.resolve(due.push(...claimed.map((it) => it.id))),
      onWaiting: (seqs) => void waiting.push(...seqs),
      onLost: () => void lost.push(true),
    },
    () => now,
  )
  return {
    promised,
    subscribe,
    sent,
    due,
    lost,
    waiting,
    secrets,
    pass: (ms: number) => (now += ms),
    die: () => (id = undefined),
    claimBacklog: () => (hasBacklog = false),
    promise: (receivers: readonly Receiver[] = [receiverAt(1)]) => {
      const promise = promised.promise(TENANT, 1)
      if (!promise) throw new Error('nothing was promised')
      promise.take({ claims: promise.endpointSeqs.map(claimAt), waiting: [] })
      promise.found(receivers)
      return promise
    },
  }
}

test('only endpoints that are quick, and have nothing waiting, are promised; those of other tenants are not', () => {
  const { promised } = scene()
  expect(promised.promise(TENANT, 1)?.endpointSeqs).toEqual([1])
  expect(promised.promise('other', 1)).toBeUndefined()
})

test('what was committed is sent, and the promise ends', async () => {
  const { promised, promise, sent, due, lost } = scene()
  await promise().end('committed')
  expect({ sent, due, lost, left: promised.count() }).toEqual({ sent: [1], due: [], lost: [], left: 0 })
})

test('what was undone is not sent', async () => {
  const { promise, sent, due, lost } = scene()
  await promise().end('undone')
  expect({ sent, due, lost }).toEqual({ sent: [], due: [], lost: [] })
})

test('what may have been committed is looked for', async () => {
  const { promise, sent, due, lost } = scene()
  await promise().end('unknown')
  expect({ sent, due, lost }).toEqual({ sent: [], due: [], lost: [true] })
})

test('what was committed late is put back, for its receiver may have changed', async () => {
  const { promise, sent, due, pass } = scene()
  const late = promise()
  pass(101)
  await late.end('committed')
  expect({ sent, due }).toEqual({ sent: [], due: [1] })
})

test('is signed with the secret that it has when the transaction commits', async () => {
  const { promise, secrets } = scene()
  await promise([receiverAt(1, 'second')]).end('committed')
  expect(secrets).toEqual(['second'])
})

test('what was committed after its receiver was disabled is put back', async () => {
  const { promise, sent, due } = scene()
  await promise([]).end('committed')
  expect({ sent, due }).toEqual({ sent: [], due: [1] })
})

test('a transaction may take long, if what it reads of receivers at its commit is recent', async () => {
  const { promised, sent, pass } = scene()
  const promise = promised.promise(TENANT, 1)
  promise?.take({ claims: [claimAt(1)], waiting: [] })
  pass(30_000)
  promise?.found([receiverAt(1)])
  await promise?.end('committed')
  expect(sent).toEqual([1])
})

test('workers are told of what waits, but not where something waits already', () => {
  const { promised } = scene()
  const promise = promised.promise(TENANT, 1)
  expect(promise?.take({ claims: [], waiting: [4] })).toBe(false)
  expect(promise?.take({ claims: [], waiting: [3, 4] })).toBe(true)
})

test('what waits where nothing else does any more is looked for', async () => {
  const { promised, waiting, claimBacklog } = scene()
  const promise = promised.promise(TENANT, 1)
  promise?.take({ claims: [], waiting: [4] })
  claimBacklog()
  await promise?.end('committed')
  expect(waiting).toEqual([4])
})

test('a worker that others may have declared dead sends nothing', async () => {
  const { promise, sent, due, lost, die } = scene()
  const orphaned = promise()
  die()
  await orphaned.end('committed')
  expect({ sent, due, lost }).toEqual({ sent: [], due: [], lost: [true] })
})

test('an endpoint is promised no more than its cap, until promises end', async () => {
  const { promised } = scene()
  const made = [1, 2, 3, 4].map(() => promised.promise(TENANT, 1))
  expect(made.every((it) => it?.endpointSeqs.includes(1))).toBe(true)
  expect(promised.promise(TENANT, 1)).toBeUndefined()
  await made[0]?.end('undone')
  expect(promised.promise(TENANT, 1)).toBeDefined()
})

test('one transaction is promised no more than a quarter of the slots, however many endpoints its tenant has', () => {
  const { promised, subscribe } = scene()
  for (let seq = 10; seq < 50; seq++) subscribe(seq)
  expect(promised.promise(TENANT, 2)?.endpointSeqs).toHaveLength(SLOTS / 4 / 2)
  expect(promised.count()).toBe(SLOTS / 4)
  expect(promised.promise(TENANT, 1)).toBeUndefined()
})

test('a worker that closes promises nothing more and waits for those that are open', async () => {
  const { promised, promise, sent } = scene()
  const last = promise()
  const closing = promised.close()
  expect(promised.promise(TENANT, 1)).toBeUndefined()
  await last.end('committed')
  await closing
  expect(sent).toEqual([1])
})
