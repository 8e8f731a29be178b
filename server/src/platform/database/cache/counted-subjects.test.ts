import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { countedSubjects } from './counted-subjects.ts'

function bytesOf(counts: ReadonlyMap<string, number>): Buffer {
  const sorted = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Buffer.concat(
    sorted.flatMap(([id, n]) => {
      const count = Buffer.alloc(4)
      count.writeUInt32BE(n)
      return [Buffer.from(id.replaceAll('-', ''), 'hex'), count]
    }),
  )
}

test('counts are those of the last update', () => {
  const ids = Array.from({ length: 500 }, () => randomUUID() as string)
  const held = new Map(ids.slice(0, 200).map((id, at) => [id, 1 + (at % 4)]))
  const counted = countedSubjects(bytesOf(held))
  for (let turn = 0; turn < 40; turn += 1) {
    const asked = ids.filter((_, at) => at % 7 === turn % 7)
    const now = new Map(asked.filter((_, at) => at % 3 === turn % 3).map((id, at) => [id, 1 + (at % 5)]))
    counted.update(asked, now)
    for (const id of asked) {
      held.delete(id)
      if (now.has(id)) held.set(id, now.get(id) ?? 0)
    }
    expect(counted.total()).toBe([...held.values()].reduce((sum, n) => sum + n, 0))
    expect(counted.ids(500)?.toSorted()).toEqual([...held.keys()].toSorted())
    expect(counted.ids(held.size - 1)).toBe(undefined)
  }
})

test('of nothing', () => {
  const counted = countedSubjects(Buffer.alloc(0))
  expect(counted.ids(0)).toEqual([])
  counted.update(['0197c0de-0000-7000-8000-000000000001'], new Map())
  expect(counted.total()).toBe(0)
})
