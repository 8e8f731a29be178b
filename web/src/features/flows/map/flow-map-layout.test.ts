import { expect, test } from 'vitest'
import type { Definition, Step } from '../flow-sentence.ts'
import { BOX, mapOf, type FlowMap } from './flow-map-layout.ts'

const trigger: Definition['trigger'] = { kind: 'event', eventTypes: ['NEW_ASSET'] }
const tag = (name: string): Step => ({ action: 'add_tags', with: { tags: [name] } })
const placesOf = ({ boxes }: FlowMap) => boxes.map(({ place }) => place)

function overlaps({ boxes }: FlowMap): string[] {
  return boxes.flatMap((a, n) =>
    boxes
      .slice(n + 1)
      .filter((b) => Math.abs(a.x - b.x) < BOX.width && Math.abs(a.y - b.y) < BOX.height)
      .map((b) => `${a.place} and ${b.place}`),
  )
}

const nested: readonly Step[] = [
  tag('a'),
  {
    action: 'if',
    condition: 'asset.type = server',
    steps: [{ action: 'if', condition: 'x', steps: [tag('b'), tag('c')], otherwise: [tag('d')] }],
    otherwise: [{ action: 'for_each', list: 'event.assets', steps: [tag('e'), tag('f'), tag('g')] }],
  },
  { action: 'wait_for_approval', request: 'r', otherwise: [tag('h')] },
  { action: 'if', condition: 'y', steps: [{ action: 'stop' }] },
  tag('i'),
]

test('every step has a box, none lies on another, and all lie within the map', () => {
  const map = mapOf({ trigger, condition: 'event.asset_name: print', steps: nested })
  expect(placesOf(map)).toHaveLength(17)
  expect(new Set(placesOf(map)).size).toBe(17)
  expect(placesOf(map).slice(0, 3)).toEqual(['trigger', 'condition', 'steps[0]'])
  expect(overlaps(map)).toEqual([])
  for (const { x, y } of map.boxes) {
    expect(x).toBeGreaterThanOrEqual(0)
    expect(x + BOX.width).toBeLessThanOrEqual(map.width)
    expect(y + BOX.height).toBeLessThanOrEqual(map.height)
  }
  for (const [x, y] of map.lines.flatMap(({ points }) => points)) {
    expect(x >= 0 && x <= map.width).toBe(true)
    expect(y >= 0 && y <= map.height).toBe(true)
  }
})

test('steps stand below each other and branches beside each other', () => {
  const { boxes, lines } = mapOf({ trigger, steps: [nested[1] as Step, tag('i')] })
  const at = (place: string) => boxes.find((it) => it.place === place)
  const [then, otherwise] = [at('steps[0].steps[0]'), at('steps[0].otherwise[0]')]
  expect(then?.y).toBe(otherwise?.y)
  expect(then?.x).toBeLessThan(otherwise?.x ?? 0)
  expect(at('steps[1]')?.y).toBeGreaterThan(at('steps[0].otherwise[0].steps[2]')?.y ?? 0)
  expect(lines.flatMap(({ label }) => label ?? [])).toEqual([
    'then',
    'then',
    'otherwise',
    'otherwise',
    'each',
  ])
})

test('no line leads on from where the flow ends', () => {
  const stop: Step = { action: 'stop' }
  expect(mapOf({ trigger, steps: [stop, tag('never')] }).lines).toHaveLength(1)
  const approval = mapOf({ trigger, steps: [{ action: 'wait_for_approval', otherwise: [tag('h')] }] })
  // in, two branches, and one that leads on
  expect(approval.lines).toHaveLength(4)
})
