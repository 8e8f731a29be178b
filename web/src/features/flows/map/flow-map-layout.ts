import { stepSentence, triggerSentence, type Definition, type Step } from '../flow-sentence.ts'

/** Where the boxes and lines of a map of a flow stand: branches side by side, everything else from top to bottom. Pixels. */
export interface FlowMap {
  readonly width: number
  readonly height: number
  readonly boxes: readonly Box[]
  readonly lines: readonly Line[]
}

export interface Box {
  readonly x: number
  readonly y: number
  /** Of the definition, such as `steps[1].otherwise[0]`; `trigger` and `condition` are the first ones. */
  readonly place: string
  readonly text: string
  readonly kind: 'start' | 'step' | 'branch' | 'end'
}

export interface Line {
  /** Corners, each x and y. */
  readonly points: readonly (readonly [number, number])[]
  /** At its beginning. */
  readonly label?: string
}

export const BOX = { width: 208, height: 60 } as const
const GAP = 28
const BETWEEN = 20
/** Of a branch without steps, so that its line stands beside the other one. */
const EMPTY_WIDTH = 96

/** A part of the map with its own corner at 0, 0; its line comes in, and leaves, in the middle. */
interface Part extends FlowMap {
  /** False: nothing comes behind it. */
  readonly goesOn: boolean
}

interface Branch {
  /** What its line says where it begins. */
  readonly label: string
  readonly part: Part
}

export function mapOf({ trigger, condition, steps }: Definition): FlowMap {
  const start = (place: string, text: string) => single({ place, text, kind: 'start' })
  const whole = stacked([
    start('trigger', triggerSentence(trigger)),
    ...(condition ? [start('condition', `Only if ${condition}`)] : []),
    ...partsOf(steps, 'steps'),
  ])
  return { ...whole, boxes: [...whole.boxes] }
}

const partsOf = (steps: readonly Step[], place: string): Part[] =>
  steps.map((step, n) => partOf(step, `${place}[${n}]`))

function partOf(step: Step, place: string): Part {
  const text = stepSentence(step)
  const inside = (name: 'steps' | 'otherwise') => stacked(partsOf(step[name] ?? [], `${place}.${name}`))
  switch (step.action) {
    case 'if':
      return branching({ place, text, kind: 'branch' }, [
        { label: 'then', part: inside('steps') },
        { label: 'otherwise', part: inside('otherwise') },
      ])
    case 'for_each':
      return branching({ place, text, kind: 'branch' }, [{ label: 'each', part: inside('steps') }])
    case 'wait_for_approval':
      return branching({ place, text, kind: 'branch' }, [
        { label: 'approved', part: stacked([]) },
        { label: 'otherwise', part: { ...inside('otherwise'), goesOn: false } },
      ])
    case 'stop':
      return { ...single({ place, text, kind: 'end' }), goesOn: false }
    default:
      return single({ place, text, kind: 'step' })
  }
}

const single = (box: Omit<Box, 'x' | 'y'>): Part => ({
  ...BOX,
  boxes: [{ ...box, x: 0, y: 0 }],
  lines: [],
  goesOn: true,
})

/** One below the other, with a line between each two; none: a line through. */
function stacked(parts: readonly Part[]): Part {
  const width = Math.max(EMPTY_WIDTH, ...parts.map((it) => it.width))
  const lines: Line[] = []
  const boxes: Box[] = []
  let y = 0
  for (const [n, part] of parts.entries()) {
    const before = parts[n - 1]
    if (before?.goesOn) lines.push(straight(width / 2, y - GAP, y))
    const moved = movedBy(part, (width - part.width) / 2, y)
    boxes.push(...moved.boxes)
    lines.push(...moved.lines)
    y += part.height + GAP
  }
  const goesOn = parts.every((it) => it.goesOn)
  return { width, height: Math.max(0, y - GAP), boxes, lines, goesOn }
}

/** A box, below it the branches side by side, and below these the point where they meet. */
function branching(box: Omit<Box, 'x' | 'y'>, branches: readonly Branch[]): Part {
  const all = branches.reduce((sum, { part }) => sum + part.width, (branches.length - 1) * BETWEEN)
  const width = Math.max(BOX.width, all)
  const top = BOX.height + 2 * GAP
  const inner = Math.max(...branches.map(({ part }) => part.height))
  const height = top + inner + GAP
  const boxes: Box[] = [{ ...box, x: (width - BOX.width) / 2, y: 0 }]
  const lines: Line[] = []
  let x = (width - all) / 2
  for (const { label, part } of branches) {
    const middle = x + part.width / 2
    const split = BOX.height + GAP / 2
    lines.push({
      label,
      points: [
        [width / 2, BOX.height],
        [width / 2, split],
        [middle, split],
        [middle, top],
      ],
    })
    if (part.goesOn)
      lines.push({
        points: [
          [middle, top + part.height],
          [middle, height],
          [width / 2, height],
        ],
      })
    const moved = movedBy(part, x, top)
    boxes.push(...moved.boxes)
    lines.push(...moved.lines)
    x += part.width + BETWEEN
  }
  return { width, height, boxes, lines, goesOn: branches.some(({ part }) => part.goesOn) }
}

const straight = (x: number, from: number, to: number): Line => ({
  points: [
    [x, from],
    [x, to],
  ],
})

const movedBy = ({ boxes, lines }: FlowMap, x: number, y: number) => ({
  boxes: boxes.map((it) => ({ ...it, x: it.x + x, y: it.y + y })),
  lines: lines.map((it) => ({ ...it, points: it.points.map(([px, py]) => [px + x, py + y] as const) })),
})
