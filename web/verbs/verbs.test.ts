import { expect, test } from 'vitest'
import { findVerbUses, mutations, shows } from './find-verbs.ts'
import { ANSWERS, OWN_SIGNS, WAYS_BACK } from './verbs.ts'

const uses = findVerbUses()
const usesOf = (mutation: string) => uses.filter((use) => use.mutation === mutation)

test('every mutation is used, and has its way back in the table', () => {
  expect(Object.keys(WAYS_BACK).toSorted()).toEqual(mutations)
  expect(mutations.filter((mutation) => usesOf(mutation).length === 0)).toEqual([])
})

test('the frame shows that a change is on its way', () => {
  expect(shows(['features/shell/app-layout.tsx'], /<ChangeInProgress \/>/)).toBe(true)
})

/** Of lists, of `useMutation`, and of a notification: they show it themselves. */
const SHOWN_WITHIN = ['act', 'undo', 'mutationFn']

test('what is sent beside useChange has a sign while it is on its way', () => {
  const unseen = uses
    .filter(({ by, within }) => by === 'send' && !within.some((name) => SHOWN_WITHIN.includes(name)))
    .map(({ file }) => file)
  expect([...new Set(unseen)].toSorted()).toEqual(Object.keys(OWN_SIGNS).toSorted())
})

test('every change is confirmed by a notification, or where it happened', () => {
  const silent = uses
    .filter(({ by, given }) => by === 'useChange' && !given.includes('done') && !given.includes('onDone'))
    .map(({ mutation }) => mutation)
  expect([...new Set(silent)].toSorted()).toEqual(Object.keys(ANSWERS).toSorted())
})

test('every way back is there', () => {
  const lost = Object.entries(WAYS_BACK).filter(([mutation, way]) => !isThere(mutation, way))
  expect(lost).toEqual([])
})

function isThere(mutation: string, way: string): boolean {
  const files = usesOf(mutation).map(({ file }) => file)
  const back = /^by (\w+)$/.exec(way)?.[1]
  if (back) return mutations.includes(back)
  if (way === 'undo') return usesOf(mutation).some(({ given }) => given.includes('undo'))
  return way !== 'asks' || shows(files, /<(ConfirmDialog|FormDialog|Modal)\b/)
}
