import { expect, test } from 'vitest'
import { arranged, isShown, moved, TILES, toggled, withViews } from './tiles.ts'

const NONE = { tiles: [], hidden: [] }
const ids = (layout: Parameters<typeof arranged>[1]) => arranged(TILES, layout).map(({ id }) => id)

test('tiles come in their order, and those that a layout names before the others', () => {
  expect(ids(NONE)).toEqual(TILES.map(({ id }) => id))
  expect(ids({ tiles: ['feeds', 'gone', 'coverage'], hidden: [] }).slice(0, 3)).toEqual([
    'feeds',
    'coverage',
    'first-steps',
  ])
})

test('a tile changes its place with its neighbour, and not beyond the ends', () => {
  const down = moved(TILES, NONE, 'since-yesterday', 1)
  expect(ids(down).slice(1, 3)).toEqual(['waiting', 'since-yesterday'])
  expect(ids(moved(TILES, down, 'since-yesterday', -1))).toEqual(ids(NONE))
  expect(moved(TILES, NONE, 'first-steps', -1)).toBe(NONE)
})

test('a tile is hidden, and shown again', () => {
  const hidden = toggled(NONE, 'feeds')
  expect(hidden.hidden).toEqual(['feeds'])
  expect(toggled(hidden, 'feeds')).toEqual(NONE)
})

test('a saved view becomes a tile where somebody asks for it', () => {
  const all = withViews(TILES, [
    { id: 'v0', name: 'Exploited', subject: 'finding' },
    { id: 'v2', name: 'Monthly', subject: 'report' },
    { id: 'v1', name: 'Servers', subject: 'asset' },
  ])
  expect(all.slice(TILES.length).map(({ id, permission }) => [id, permission])).toEqual([
    ['view-v0', 'vulnerabilities:read'],
    ['view-v1', 'assets:read'],
  ])
  expect(all.at(-1)).toMatchObject({ id: 'view-v1', title: 'Servers' })
  expect(isShown(NONE, 'view-v1')).toBe(false)
  const shown = toggled(NONE, 'view-v1')
  expect(isShown(shown, 'view-v1')).toBe(true)
  expect(arranged(all, shown)[0]?.id).toBe('view-v1')
  expect(isShown(toggled(shown, 'view-v1'), 'view-v1')).toBe(false)
  const other = moved(all, NONE, 'feeds', -1)
  expect(isShown(other, 'view-v1')).toBe(false)
  expect(arranged(all, moved(all, shown, 'view-v1', 1))[1]?.id).toBe('view-v1')
})
