import { expect, test } from 'vitest'
import { itemAt, navigationItems, navigationSections } from './navigation.ts'
import { sectionsFor } from './offered-sections.ts'

test('the navigation has at most 12 entries, and each screen and shortcut stands once', () => {
  expect(navigationSections.length).toBeLessThanOrEqual(12)
  for (const of of ['to', 'key'] as const)
    expect(new Set(navigationItems.map((item) => item[of])).size).toBe(navigationItems.length)
})

test('a page of one thing belongs to the screen that lists it', () => {
  expect(itemAt('/scans/7')?.to).toBe('/scans')
  expect(itemAt('/cloud-connections')?.to).toBe('/cloud-connections')
  expect(itemAt('/')?.to).toBe('/')
  expect(itemAt('/nowhere')).toBe(undefined)
})

test('an entry is offered with the screens that the role opens, and not without any', () => {
  const limited = { permissions: ['assets:read', 'scans:read'], limitedTo: 'tag:paris' }
  const offered = sectionsFor(limited).map(({ title, items }) => [title, items.length])
  expect(offered).toEqual([
    ['Overview', 1],
    ['Changes', 1],
    ['Assets', 5],
    ['Software', 2],
    ['Settings', 1],
  ])
})
