import { describe, expect, test } from 'vitest'
import { openFairSlots, type Waiting } from './fair-slots.ts'

const HUNG = 1
const GOOD = 2

interface Wanted {
  readonly seq: number
  readonly tenantId?: string
  readonly isQuick?: boolean | null
  readonly overdueMs?: number
}

const wait = ({ seq, tenantId = 'ours', isQuick = null, overdueMs = 0 }: Wanted): Waiting => ({
  endpointSeq: seq,
  tenantId,
  isQuick,
  overdueMs,
})
const seqsFrom = (first: number, count: number) => Array.from({ length: count }, (_, n) => first + n)

function scene(slots: number) {
  let now = 0
  let lastId = 0
  const fairSlots = openFairSlots(slots, () => now)
  const grants = (...waiting: readonly Wanted[]) => fairSlots.grant(waiting.map(wait))
  const roomOf = (seq: number, ...others: readonly Wanted[]) =>
    grants(...others, { seq }).find((it) => it.endpointSeq === seq)?.room ?? 0
  const begin = (seq: number, count: number) =>
    Array.from({ length: count }, () => {
      fairSlots.begin(seq, ++lastId)
      return lastId
    })
  /** Begins as many as there is room for. */
  const beginAll = (...waiting: readonly Wanted[]) =>
    grants(...waiting).map(({ endpointSeq, room }) => ({ seq: endpointSeq, ids: begin(endpointSeq, room) }))
  const pass = (ms: number) => (now += ms)
  const answer = (seq: number, count: number, ms: number) => {
    grants({ seq })
    const ids = begin(seq, count)
    pass(ms)
    for (const id of ids) fairSlots.end(seq, id)
  }
  const end = (begun: readonly { seq: number; ids: readonly number[] }[]) => {
    for (const { seq, ids } of begun) for (const id of ids) fairSlots.end(seq, id)
  }
  return { fairSlots, grants, roomOf, begin, beginAll, pass, answer, end, now: () => now }
}

describe('the cap of an endpoint', () => {
  test('begins small', () => {
    const { roomOf } = scene(100)
    expect(roomOf(GOOD)).toBe(4)
  })

  test('grows with quick answers and halves with slow ones, never below the first few', () => {
    const { roomOf, answer } = scene(1_024)
    answer(GOOD, 4, 10)
    expect(roomOf(GOOD)).toBe(8)
    for (let i = 0; i < 100; i++) answer(GOOD, 4, 10)
    expect(roomOf(GOOD)).toBe(64)
    answer(GOOD, 1, 5_000)
    answer(GOOD, 1, 10)
    expect(roomOf(GOOD)).toBe(33)
    for (let i = 0; i < 10; i++) answer(GOOD, 1, 5_000)
    expect(roomOf(GOOD)).toBe(4)
  })

  test('grows further for a receiver that is far away', () => {
    const { roomOf, answer } = scene(1_024)
    for (let i = 0; i < 100; i++) answer(GOOD, 4, 100)
    expect(roomOf(GOOD)).toBe(256)
  })

  test('counts what is under way', () => {
    const { fairSlots, roomOf, begin } = scene(100)
    expect(roomOf(GOOD)).toBe(4)
    begin(GOOD, 3)
    expect(roomOf(GOOD)).toBe(1)
    expect(fairSlots.roomAt(GOOD)).toBe(1)
    expect(fairSlots.roomAt(HUNG)).toBe(0)
  })

  test('of one that another worker saw hang is one', () => {
    const { grants } = scene(64)
    expect(
      grants({ seq: GOOD, isQuick: true }, { seq: HUNG, isQuick: false }).toSorted(
        (a, b) => a.endpointSeq - b.endpointSeq,
      ),
    ).toEqual([
      { endpointSeq: HUNG, room: 1 },
      { endpointSeq: GOOD, room: 4 },
    ])
  })
})

describe('slots', () => {
  test('are never given twice', () => {
    const { fairSlots, grants, beginAll, answer } = scene(16)
    for (let i = 0; i < 20; i++) answer(GOOD, 1, 10)
    const all = seqsFrom(100, 50).map((seq) => ({ seq, tenantId: `t${seq}` }))
    let begun = 0
    for (let i = 0; i < 100; i++)
      for (const { ids } of beginAll(...all, { seq: GOOD }, { seq: HUNG, isQuick: false }))
        begun += ids.length
    expect(begun).toBeLessThanOrEqual(16)
    expect(grants(...all)).toEqual([])
    expect(fairSlots.grant([])).toEqual([])
  })

  test('go to tenants in turn, and then to their endpoints', () => {
    const { grants } = scene(1_024)
    const crowd = seqsFrom(100, 500).map((seq) => ({ seq, tenantId: 'crowd', isQuick: false }))
    const given = grants(...crowd, { seq: GOOD, tenantId: 'one', isQuick: false })
    expect(given.find((it) => it.endpointSeq === GOOD)).toEqual({ endpointSeq: GOOD, room: 1 })
    expect(given.every(({ room }) => room === 1)).toBe(true)
  })

  test('of every lane are left to a tenant that comes after one with thousands of endpoints', () => {
    for (const isQuick of [true, false, null]) {
      const { beginAll, pass, roomOf } = scene(1_024)
      const crowd = seqsFrom(100, 4_000).map((seq) => ({ seq, tenantId: 'crowd', isQuick }))
      // Ten seconds in which nobody answers.
      for (let i = 0; i < 20; i++) {
        beginAll(...crowd)
        pass(499)
      }
      expect(roomOf(GOOD, ...crowd, { seq: GOOD, tenantId: 'one', isQuick })).toBeGreaterThan(0)
    }
  })
})

describe('an endpoint that answers', () => {
  test('has eleven sixteenths of the slots, whatever hangs', () => {
    const { beginAll, answer, pass, grants } = scene(1_024)
    const tenants = seqsFrom(0, 30).map((n) => ({ seq: 10 + n, tenantId: `t${n}` }))
    for (const { seq } of tenants) for (let i = 0; i < 60; i++) answer(seq, 1, 10)
    const hung = seqsFrom(1_000, 4_000).map((seq) => ({ seq, tenantId: `h${seq}`, isQuick: false }))
    beginAll(...hung)
    pass(2_000)
    const given = grants(...hung, ...tenants)
    const room = given.reduce((sum, it) => sum + it.room, 0)
    // No tenant has more than twice what is left, so the last few are left.
    expect(room).toBeGreaterThan(680)
    expect(room).toBeLessThanOrEqual(704)
  })

  test('is quick no more while it keeps one waiting', () => {
    const { grants, roomOf, begin, pass, answer } = scene(64)
    for (let i = 0; i < 20; i++) answer(HUNG, 1, 10)
    begin(HUNG, 1)
    expect(roomOf(HUNG)).toBeGreaterThan(8)
    pass(1_500)
    expect(grants({ seq: HUNG })).toEqual([{ endpointSeq: HUNG, room: 6 }])
  })

  test('and was slow once waits for none of those that hang', () => {
    const { beginAll, answer, pass, end, roomOf } = scene(1_024)
    answer(GOOD, 1, 1_200)
    const hung = seqsFrom(1_000, 4_000).map((seq) => ({ seq, tenantId: 'crowd', isQuick: false }))
    for (let round = 0; round < 5; round++) {
      expect(roomOf(GOOD, ...hung)).toBeGreaterThan(0)
      const begun = beginAll(...hung)
      pass(10_000)
      end(begun)
    }
  })
})

describe('the retries of receivers that hang', () => {
  test('begin at once while their lane is not full, however many come together', () => {
    const { grants } = scene(1_024)
    const hung = seqsFrom(1_000, 100).map((seq) => ({ seq, tenantId: `t${seq}`, isQuick: false }))
    expect(grants(...hung)).toHaveLength(100)
  })

  test('of which nothing is known yet take an eighth of the slots, the longest overdue first', () => {
    const { grants } = scene(1_024)
    const hung = seqsFrom(0, 4_000).map((n) => ({
      seq: n,
      tenantId: `t${n}`,
      isQuick: false,
      overdueMs: n,
    }))
    const given = grants(...hung).map((it) => it.endpointSeq)
    expect(new Set(given)).toEqual(new Set(seqsFrom(4_000 - 128, 128)))
  })

  /** A tenant with receivers that waited in vain, and one that once took two seconds. */
  const sceneOfHung = (count: number) => {
    const { beginAll, answer, pass, end, ...rest } = scene(1_024)
    const hung = seqsFrom(1_000, count).map((seq) => ({ seq, tenantId: `t${seq}`, isQuick: false }))
    for (let left = hung; left.length > 0; left = left.slice(100)) {
      const begun = beginAll(...left.slice(0, 100))
      pass(10_000)
      end(begun)
    }
    return { hung, beginAll, answer, pass, end, ...rest }
  }

  test('share a sixteenth of the slots by tenant and endpoint', () => {
    const { hung, grants } = sceneOfHung(100)
    const given = grants(...hung.map((it, n) => ({ ...it, overdueMs: n })))
    expect(new Set(given.map((it) => it.endpointSeq))).toEqual(new Set(seqsFrom(1_100 - 64, 64)))
    expect(given.every(({ room }) => room === 1)).toBe(true)
  })

  test('take no place from what is slow, and none from what is new', () => {
    const { hung, beginAll, answer, roomOf } = sceneOfHung(100)
    answer(GOOD, 1, 2_000)
    beginAll(...hung)
    expect(roomOf(GOOD, ...hung)).toBe(4)
    expect(roomOf(3, ...hung)).toBe(4)
  })

  test('leave their lane with the first answer', () => {
    const { hung, grants, answer } = sceneOfHung(1)
    answer(1_000, 1, 20)
    const given = grants(...hung)
    expect(given).toEqual([{ endpointSeq: 1_000, room: 5 }])
  })
})

/** 4,000 receivers that are new and hang, and newcomers that answer in 20 ms; answers how long each newcomer waited. */
function waitsOfNewcomers(tenants: number, newcomersAt: (ms: number) => number): number[] {
  const { grants, begin, end, pass, now } = scene(1_024)
  const STEP_MS = 50
  const crowd = new Set(seqsFrom(10_000, 4_000))
  const hanging: { endsAt: number; seq: number; ids: number[] }[] = []
  const waits: number[] = []
  let waiting: { seq: number; since: number }[] = []
  let lastSeq = 0
  while (now() < 20_000) {
    for (let n = newcomersAt(now()); n > 0; n--) waiting.push({ seq: ++lastSeq, since: now() })
    const given = grants(
      ...Array.from(crowd, (seq) => ({ seq, tenantId: `crowd ${seq % tenants}`, overdueMs: now() })),
      ...waiting.map(({ seq, since }) => ({ seq, tenantId: `new ${seq}`, overdueMs: now() - since })),
    )
    for (const { endpointSeq: seq, room } of given) {
      const ids = begin(seq, Math.min(room, 1))
      hanging.push({ endsAt: now() + (crowd.delete(seq) ? 10_000 : 20), seq, ids })
      waits.push(...waiting.filter((it) => it.seq === seq).map(({ since }) => now() - since))
      waiting = waiting.filter((it) => it.seq !== seq)
    }
    pass(STEP_MS)
    end(hanging.filter((it) => it.endsAt <= now()))
    for (let at = hanging.length - 1; at >= 0; at--)
      if ((hanging[at]?.endsAt ?? 0) <= now()) hanging.splice(at, 1)
  }
  expect(waiting).toEqual([])
  return waits
}

describe('issue 9: a new receiver, while 4,000 others that are new hang', () => {
  const oneASecond = (ms: number) => (ms % 1_000 === 500 ? 1 : 0)
  const twentyAtOnce = (ms: number) => (ms === 15_000 ? 20 : 0)

  test.each([1, 4_000])('of %i tenants begins within a second, twenty at once too', (tenants) => {
    const waits = waitsOfNewcomers(tenants, (ms) => oneASecond(ms) + twentyAtOnce(ms))
    expect(waits).toHaveLength(40)
    expect(Math.max(...waits)).toBeLessThan(1_000)
  })
})

test('tells once which endpoints became quick or slow', () => {
  const { fairSlots, answer } = scene(16)
  answer(GOOD, 2, 10)
  answer(HUNG, 1, 5_000)
  expect(fairSlots.takeChanges()).toEqual(
    new Map([
      [GOOD, true],
      [HUNG, false],
    ]),
  )
  answer(GOOD, 2, 10)
  expect(fairSlots.takeChanges()).toEqual(new Map())
})

test('of more than ten thousand endpoints the oldest that are idle are forgotten, and none that is busy', () => {
  const { fairSlots, grants, begin, answer } = scene(1_024)
  const NONE = { all: 0, byEndpoint: new Map() }
  const [busy, idle] = [GOOD, 3]
  for (const seq of [busy, idle]) answer(seq, 1, 10)
  begin(busy, 1)
  expect(fairSlots.quickWithRoom('ours', 1, NONE)).toEqual([busy, idle])
  grants(...seqsFrom(100, 9_999).map((seq) => ({ seq, tenantId: 'theirs' })))
  // each turn forgets before it meets others
  grants()
  expect([fairSlots.isQuick(busy), fairSlots.isQuick(idle)]).toEqual([true, false])
  expect(fairSlots.quickWithRoom('ours', 1, NONE)).toEqual([busy])
})
