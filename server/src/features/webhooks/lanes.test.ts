import { expect, test } from 'vitest'
import { openLanes } from './lanes.ts'

const HUNG = 1
const GOOD = 2

const unknown = (seqs: readonly number[]) => seqs.map((endpointSeq) => ({ endpointSeq, isQuick: null }))

function scene(slots: number) {
  let now = 0
  let lastId = 0
  const lanes = openLanes(slots, () => now)
  const roomOf = (seq: number, waiting: readonly number[]) =>
    lanes.rooms(unknown(waiting)).find((it) => it.endpointSeq === seq)?.room ?? 0
  const begin = (seq: number, count: number) =>
    Array.from({ length: count }, () => {
      lanes.begin(seq, ++lastId)
      return lastId
    })
  const pass = (ms: number) => (now += ms)
  const answer = (seq: number, count: number, ms: number) => {
    const ids = begin(seq, count)
    pass(ms)
    for (const id of ids) lanes.end(seq, id)
  }
  return { lanes, roomOf, begin, pass, answer }
}

test('an unknown endpoint begins with few', () => {
  const { roomOf } = scene(100)
  expect(roomOf(GOOD, [GOOD])).toBe(4)
})

test('quick answers widen the cap, slow ones halve it, never below the first few', () => {
  const { roomOf, answer } = scene(1_000)
  answer(GOOD, 4, 10)
  expect(roomOf(GOOD, [GOOD])).toBe(8)
  for (let i = 0; i < 100; i++) answer(GOOD, 4, 10)
  expect(roomOf(GOOD, [GOOD])).toBe(256)
  answer(GOOD, 1, 5_000)
  expect(roomOf(GOOD, [GOOD])).toBe(128)
  for (let i = 0; i < 10; i++) answer(GOOD, 1, 5_000)
  expect(roomOf(GOOD, [GOOD])).toBe(4)
})

test('what is under way takes from the cap', () => {
  const { roomOf, begin } = scene(100)
  begin(GOOD, 3)
  expect(roomOf(GOOD, [GOOD])).toBe(1)
})

test('however many endpoints hang, half of the slots are left to one that answers', () => {
  const { lanes, roomOf, begin, answer } = scene(40)
  answer(GOOD, 4, 10)
  for (let i = 0; i < 40; i++) answer(GOOD, 4, 10)
  const hung = Array.from({ length: 50 }, (_, i) => 100 + i)
  for (const { endpointSeq, room } of lanes.rooms(unknown(hung))) begin(endpointSeq, room)
  expect(lanes.rooms(unknown(hung))).toEqual([])
  expect(roomOf(GOOD, [...hung, GOOD])).toBe(20)
})

test('places that are short reach every endpoint before any has a second', () => {
  const { lanes } = scene(20)
  const waiting = Array.from({ length: 10 }, (_, i) => i)
  expect(lanes.rooms(unknown(waiting)).map((it) => it.room)).toEqual(Array.from({ length: 10 }, () => 1))
})

test('an endpoint that was quick and hangs now is quick no more', () => {
  const { roomOf, begin, pass, answer } = scene(10)
  answer(HUNG, 4, 10)
  begin(HUNG, 5)
  expect(roomOf(HUNG, [HUNG])).toBe(3)
  pass(1_500)
  expect(roomOf(HUNG, [HUNG])).toBe(0)
})

test('no slot is given twice', () => {
  const { lanes, begin, answer } = scene(8)
  answer(GOOD, 4, 10)
  begin(GOOD, 8)
  expect(lanes.rooms(unknown([GOOD, HUNG]))).toEqual([])
})

test('what another worker has seen of an endpoint holds until it is seen otherwise', () => {
  const { lanes, answer, roomOf } = scene(8)
  const known = [
    { endpointSeq: GOOD, isQuick: true },
    { endpointSeq: HUNG, isQuick: false },
  ]
  expect(lanes.rooms(known)).toEqual([
    { endpointSeq: GOOD, room: 4 },
    { endpointSeq: HUNG, room: 1 },
  ])
  answer(HUNG, 1, 10)
  expect(roomOf(HUNG, [HUNG])).toBe(2)
})

test('tells once which endpoints became quick or slow', () => {
  const { lanes, answer } = scene(8)
  answer(GOOD, 2, 10)
  answer(HUNG, 1, 5_000)
  expect(lanes.news()).toEqual(
    new Map([
      [GOOD, true],
      [HUNG, false],
    ]),
  )
  answer(GOOD, 2, 10)
  expect(lanes.news()).toEqual(new Map())
})
