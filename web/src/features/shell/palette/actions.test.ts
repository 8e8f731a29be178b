import { expect, test } from 'vitest'
import { actions, bestFirst, cveIn, fits } from './actions.ts'
import { navigationItems } from '../navigation/navigation.ts'
import { wordsOf } from './screen-words.ts'

test('a CVE is known however it is written, and nothing else is one', () => {
  expect(cveIn(' cve-2024-9680 ')).toBe('CVE-2024-9680')
  for (const text of ['CVE-2024', '2024-9680', 'cve-2024-9680x', '']) expect(cveIn(text)).toBe(undefined)
})

test.each([
  ['sweep', 'New scan target'],
  ['new webhook', 'New webhook'],
  ['invite', 'Invite people'],
])('%s finds %s', (wanted, title) => {
  const found = actions.filter((action) => fits(wanted, action.title, action.words))
  expect(found.map((action) => action.title)).toContain(title)
})

test.each([
  ['licenses', '/contracts'],
  ['computers', '/assets'],
  ['check out', '/assets'],
  ['ip range', '/discoveries'],
  ['alerts', '/notices'],
  ['snipe-it', '/imports'],
  ['locations', '/settings'],
] as const)('who looks for %s, as other inventories call it, finds %s', (wanted, to) => {
  const found = navigationItems.filter((item) => fits(wanted, item.title, wordsOf(item.to)))
  expect(found.map((item) => item.to)).toContain(to)
})

test('what bears the word comes before what others call so', () => {
  const scans = { title: 'Go to scans', otherNames: 'sweep network' }
  const target = { title: 'New scan target', words: 'sweep network range' }
  expect(bestFirst([scans, target], 'sweep')).toEqual([target, scans])
  expect(bestFirst([scans, target], '')).toEqual([scans, target])
})

test('each screen has words by which it is found', () => {
  for (const { to } of navigationItems) expect(wordsOf(to)).not.toBe('')
})

test('each action leads to a screen of the navigation', () => {
  for (const { to } of actions) expect(navigationItems.map((item) => item.to)).toContain(to)
})
