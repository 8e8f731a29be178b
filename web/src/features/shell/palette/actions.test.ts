import { expect, test } from 'vitest'
import { actions, cveIn, fits } from './actions.ts'
import { navigationItems } from '../navigation/navigation.ts'

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

test('each action leads to a screen of the navigation', () => {
  for (const { to } of actions) expect(navigationItems.map((item) => item.to)).toContain(to)
})
