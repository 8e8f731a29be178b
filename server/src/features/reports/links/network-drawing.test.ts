import { expect, test } from 'vitest'
import { articulationPoints } from './articulation-points.ts'
import { BOXES_MAX, COLUMNS_MAX, ROWS_MAX } from './drawing-trees.ts'
import { Network } from './network.ts'
import { drawNetwork, type DrawnBox } from './network-drawing.ts'

type Link = readonly [a: string, b: string]

/** What begins with `sw` is a switch, all else a workstation; `sites` by the first letter behind a dash. */
function networkOf(links: readonly Link[], sites: Readonly<Record<string, string>> = {}): Network {
  const network = new Network()
  const node = (name: string) =>
    [
      name,
      {
        name,
        type: name.startsWith('sw') ? 'switch' : 'workstation',
        site: sites[name.split('-')[1] ?? ''] ?? null,
      },
    ] as const
  for (const [a, b] of links) network.add(node(a), node(b))
  return network
}

function drawn(network: Network): DrawnBox[] {
  const points = articulationPoints(network.links)
  return drawNetwork(network, new Map(points.map((it) => [it.node, it.cutsOff])))
}

const brief = (boxes: readonly DrawnBox[]) =>
  boxes.map(({ drawing, box, parent, name, holds }) => [drawing, box, parent, name, holds])

const star: Link[] = Array.from({ length: 20 }, (_, n) => ['sw', `pc${String(n).padStart(2, '0')}`])

test('what has one link is listed in the box that it hangs on', () => {
  const boxes = drawn(networkOf([...star, ['sw', 'sw2']]))
  expect(brief(boxes)).toEqual([
    [1, 1, null, 'sw', '20 workstation'],
    [1, 2, 1, 'sw2', null],
  ])
  expect(boxes[0]).toMatchObject({ cutsOff: 20, title: 'Network' })
  expect(boxes[0]?.members).toMatch(/^pc00, pc01, .* and 8 more$/)
})

test('two things that know only each other are drawn', () => {
  expect(brief(drawn(networkOf([['pc1', 'pc2']])))).toEqual([[1, 1, null, 'pc2', '1 workstation']])
})

test('a ring is a tree with a crossing, which is told once', () => {
  const boxes = drawn(
    networkOf([
      ['sw1', 'sw2'],
      ['sw2', 'sw3'],
      ['sw3', 'sw1'],
    ]),
  )
  expect(boxes.map(({ name, parent, crossings }) => [name, parent, crossings])).toEqual([
    ['sw1', null, []],
    ['sw2', 1, [3]],
    ['sw3', 1, []],
  ])
})

test('sites are drawn for themselves, and say where a link leads', () => {
  const boxes = drawn(
    networkOf(
      [
        ['sw-a', 'sw-b'],
        ['sw-b', 'sw2-b'],
      ],
      { a: 'Aachen', b: 'Bern' },
    ),
  )
  expect(boxes.map(({ title, name, elsewhere }) => [title, name, elsewhere])).toEqual([
    ['Aachen', 'sw-a', 'sw-b in drawing 2'],
    ['Bern', 'sw-b', 'sw-a in drawing 1'],
    ['Bern', 'sw2-b', null],
  ])
})

/** Links of a tree in which twelve hang on each, and one of twenty nodes has another link. */
function estate(nodes: number): Link[] {
  const name = (n: number) => (n * 12 + 1 < nodes ? `sw${n}` : `pc${n}`)
  return Array.from({ length: nodes - 1 }, (_, n) => n + 1).flatMap((n): Link[] => [
    [name(n), name(Math.floor((n - 1) / 12))],
    ...(n % 20 === 0 ? ([[name(n), name((n * 7) % nodes)]] as const) : []),
  ])
}

test.each([
  ['a tree of 10,000 with links across', estate(10_000)],
  ['a chain', Array.from({ length: 3_000 }, (_, n): Link => [`sw${n}`, `sw${n + 1}`])],
  ['a star of switches', Array.from({ length: 500 }, (_, n): Link => ['sw', `sw${n}`])],
])('%s: every drawing fits on a page, and each thing is in one', (_, links) => {
  const network = networkOf(links)
  const boxes = drawn(network)
  for (const own of Map.groupBy(boxes, ({ drawing }) => drawing).values()) {
    expect(own.length).toBeLessThanOrEqual(BOXES_MAX)
    expect(Math.max(...own.map(({ row }) => row))).toBeLessThan(ROWS_MAX)
    expect(Math.max(...own.map(({ column }) => column))).toBeLessThan(COLUMNS_MAX)
    expect(new Set(own.map(({ row, column }) => `${row} ${column}`)).size).toBe(own.length)
  }
  const whole = boxes.filter(({ goesOn, name }) => goesOn === null && !name.endsWith('(continued)'))
  const held = boxes.reduce((sum, { holds }) => sum + Number(/^\d+/.exec(holds ?? '0')?.[0]), 0)
  expect(new Set(whole.map(({ name }) => name)).size).toBe(whole.length)
  expect(whole.length + held).toBe(network.nodes.size)
  const last = boxes.at(-1)?.drawing ?? 0
  expect(boxes.filter(({ goesOn }) => goesOn !== null && (goesOn < 1 || goesOn > last))).toEqual([])
})

test('the drawing does not depend on the order of links', () => {
  const links = estate(800)
  const turned = links.toReversed().map(([a, b]): Link => [b, a])
  expect(drawn(networkOf(turned))).toEqual(drawn(networkOf(links)))
})
