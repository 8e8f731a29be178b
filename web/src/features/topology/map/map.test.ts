import { expect, test } from 'vitest'
import { graphFor, sitesOf, type MapNode } from './map-graph.ts'
import { CHILDREN_SHOWN, layoutOf, openedAtFirst, openedTo } from './map-layout.ts'
import { forestOf } from './map-trees.ts'
import { ALL_SITES } from './topology-search-params.ts'

const node = (id: string, site: string | null = 'Oslo', leaves = 0): MapNode => ({
  id,
  name: id,
  type: 'switch',
  site,
  leaves,
})
const mapOf = (nodes: readonly MapNode[], pairs: readonly (readonly [string, string])[]) => ({
  devices: nodes.length,
  nodes: [...nodes],
  links: pairs.map(([a, b]) => ({
    a: nodes.findIndex(({ id }) => id === a),
    b: nodes.findIndex(({ id }) => id === b),
    kinds: ['lldp'],
  })),
})
const star = (switches: number, site = 'Oslo') =>
  mapOf(
    [node('core', site), ...Array.from({ length: switches }, (_, at) => node(`sw-${at}`, site, 12))],
    Array.from({ length: switches }, (_, at) => ['core', `sw-${at}`] as const),
  )

test('what has most links is where a tree begins; its children stand in its row and below', () => {
  const forest = forestOf(graphFor(star(3), undefined))
  const { boxes, rows, columns } = layoutOf(forest, openedAtFirst(forest))
  expect(boxes.map((it) => [it.node.id, it.row, it.column])).toEqual([
    ['core', 0, 0],
    ['sw-0', 0, 1],
    ['sw-1', 1, 1],
    ['sw-2', 2, 1],
  ])
  expect([rows, columns]).toEqual([3, 2])
})

test('a ring is a tree and a link across', () => {
  const ring = mapOf(
    [node('a'), node('b'), node('c')],
    [
      ['a', 'b'],
      ['b', 'c'],
      ['a', 'c'],
    ],
  )
  const { across, parents } = forestOf(graphFor(ring, undefined))
  expect(across).toHaveLength(1)
  expect(parents.size).toBe(2)
})

test('sites are boxes with what they have; one site leads to the boxes of those that it is connected with', () => {
  const nodes = Array.from({ length: 20 }, (_, at) => [
    node(`o-${at}`, 'Oslo', 1),
    node(`b-${at}`, 'Bergen'),
    node(`n-${at}`, null),
  ]).flat()
  const map = mapOf(nodes, [
    ['o-0', 'b-0'],
    ['o-0', 'o-1'],
    ['n-0', 'n-1'],
  ])
  expect(sitesOf(map)).toEqual(['Bergen', 'Oslo', ''])
  const sites = graphFor(map, undefined)
  expect([...sites.nodes.values()].map(({ name, leaves }) => [name, leaves])).toEqual([
    ['Oslo', 40],
    ['Bergen', 20],
    ['No site', 20],
  ])
  expect(sites.links).toHaveLength(1)
  const oslo = graphFor(map, 'Oslo')
  expect(oslo.nodes.size).toBe(21)
  expect(oslo.nodes.get('site:Bergen')?.type).toBe('site')
  expect(graphFor(map, ALL_SITES).nodes.size).toBe(60)
})

test('many children are shown some at a time, and a way is opened to any of them', () => {
  const forest = forestOf(graphFor(star(800), ALL_SITES))
  const first = openedAtFirst(forest)
  const { boxes, more } = layoutOf(forest, first)
  expect(boxes).toHaveLength(1 + CHILDREN_SHOWN)
  expect(more).toEqual([{ of: 'core', column: 1, row: CHILDREN_SHOWN, rest: 800 - CHILDREN_SHOWN }])
  const wide = layoutOf(forest, openedTo(forest, first, 'sw-799'))
  expect(wide.boxes.some((it) => it.node.id === 'sw-799')).toBe(true)
})

test('10,000 devices behind 800 switches begin with what is readable', () => {
  const nodes = [node('core'), ...Array.from({ length: 800 }, (_, at) => node(`sw-${at}`, 'Oslo', 12))]
  const pairs = nodes
    .slice(1)
    .map(({ id }, at) => [at < 20 ? 'core' : `sw-${Math.floor(at / 20) - 1}`, id] as const)
  const forest = forestOf(graphFor(mapOf(nodes, pairs), ALL_SITES))
  const { rows } = layoutOf(forest, openedAtFirst(forest))
  expect(rows).toBeGreaterThan(10)
  expect(rows).toBeLessThanOrEqual(60)
})
