import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { idSet } from './id-set.ts'

const bytesOf = (ids: readonly string[]): Buffer =>
  Buffer.concat(ids.toSorted().map((id) => Buffer.from(id.replaceAll('-', ''), 'hex')))

test('a set holds what went in and did not go out', () => {
  const ids = Array.from({ length: 500 }, () => randomUUID() as string)
  const held = new Set(ids.slice(0, 200))
  const set = idSet(bytesOf([...held]))
  for (let turn = 0; turn < 40; turn += 1) {
    const asked = ids.filter((_, at) => at % 7 === turn % 7)
    const now = new Set(asked.filter((_, at) => at % 3 === turn % 3))
    set.update(asked, now)
    for (const id of asked) {
      held.delete(id)
      if (now.has(id)) held.add(id)
    }
    expect(set.size()).toBe(held.size)
    expect(set.ids().toSorted()).toEqual([...held].toSorted())
  }
})

test('an empty set', () => {
  const set = idSet(Buffer.alloc(0))
  expect(set.ids()).toEqual([])
  set.update(['0197c0de-0000-7000-8000-000000000001'], new Set())
  expect(set.size()).toBe(0)
})
