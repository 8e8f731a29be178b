import { expect, test } from 'vitest'
import type { Match } from '../db.ts'
import { areTooFew, FIRST_COUNT, firstMatches, idsOfPage, withChanged } from './first-matches.ts'

/** The same numbers each time. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const inOrder = (all: ReadonlyMap<string, readonly Match[]>): Match[] =>
  [...all.values()].flat().sort((a, b) => b.place - a.place || (a.id < b.id ? 1 : -1))

test.each([300, 600, 5_000])('of %d subjects, pages are those of all matches', (count) => {
  const random = randomNumbers(count)
  const matchesOf = (n: number): Match[] =>
    Array.from({ length: random(4) }, (_, at) => ({
      subject: `s${n}`,
      id: `m${n}-${at}`,
      place: random(400),
    }))
  const all = new Map(Array.from({ length: count }, (_, n) => [`s${n}`, matchesOf(n)]))
  let first = firstMatches(inOrder(all).slice(0, FIRST_COUNT))
  let readAgain = 0
  for (let turn = 0; turn < 300; turn += 1) {
    const asked = Array.from({ length: 20 }, () => random(count))
    const now = new Map(asked.map((n) => [`s${n}`, turn % 60 < 50 ? [] : matchesOf(n)]))
    for (const [subject, matches] of now) all.set(subject, matches)
    first = withChanged(first, [...now.keys()], [...now.values()].flat())
    if (areTooFew(first)) {
      first = firstMatches(inOrder(all).slice(0, FIRST_COUNT))
      readAgain += 1
    }
    const right = inOrder(all).map(({ id }) => id)
    expect(idsOfPage(first, 0, 500)).toEqual(right.slice(0, 500))
    const { length } = first.matches
    expect(idsOfPage(first, 0, length)).toEqual(right.slice(0, length))
    expect(idsOfPage(first, 0, length + 1)).toEqual(first.last ? undefined : right)
  }
  expect(readAgain > 0).toBe(count === 5_000)
})
