import { useMemo } from 'react'
import type { Preview } from '#ui/table/use-address-value.ts'
import { isSiteBox, type GraphLink } from './map-graph.ts'
import type { Layout } from './map-layout.ts'
import { linkKey, type Forest } from './map-trees.ts'
import styles from './topology-page.module.css'

/** Pixels. */
export const ROW = 40
export const COLUMN = 252
const BOX_WIDTH = 208
const BOX_HEIGHT = 32

interface MapLinesProps {
  readonly layout: Layout
  readonly forest: Forest
  readonly preview: Preview
}

/** What a link is called in addresses. */
export const linkName = ({ a, b }: Pick<GraphLink, 'a' | 'b'>): string => `${a} ${b}`

/** The lines of the drawing; those across the trees are curved. For screen readers a box tells its links. */
export function MapLines({ layout, forest, preview }: MapLinesProps) {
  const lines = useMemo(() => linesOf(layout, forest), [layout, forest])
  return (
    <svg
      className={styles['lines']}
      width={layout.columns * COLUMN}
      height={layout.rows * ROW}
      aria-hidden
      focusable="false"
    >
      {lines.map(({ link, path, isAcross }) => (
        <g
          key={linkName(link)}
          className={styles['link']}
          data-chosen={preview.opened === linkName(link) || undefined}
          data-still={isSiteBox(link.a) || isSiteBox(link.b) || undefined}
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- its boxes tell the same by keyboard
          onClick={() => {
            if (!isSiteBox(link.a) && !isSiteBox(link.b)) preview.open(linkName(link))
          }}
        >
          <path d={path} className={styles['grip']} />
          <path
            d={path}
            className={styles['line']}
            data-kind={lineKind(link.kinds)}
            data-across={isAcross || undefined}
          />
        </g>
      ))}
    </svg>
  )
}

const TOLD = new Set(['lldp', 'cdp', 'address'])

function lineKind(kinds: readonly string[]): 'told' | 'seen' | 'recorded' {
  if (kinds.some((it) => TOLD.has(it))) return 'told'
  return kinds.includes('fdb') || kinds.includes('arp') ? 'seen' : 'recorded'
}

interface Line {
  readonly link: GraphLink
  readonly path: string
  readonly isAcross: boolean
}

function linesOf({ boxes }: Layout, { links, across }: Forest): readonly Line[] {
  const places = new Map(boxes.map((box) => [box.node.id, box]))
  const down = boxes.flatMap((box): Line[] => {
    const parent = box.parent === undefined ? undefined : places.get(box.parent)
    const link = parent && links.get(linkKey(parent.node.id, box.node.id))
    if (!link) return []
    const [x, y] = [parent.column * COLUMN + BOX_WIDTH, parent.row * ROW + BOX_HEIGHT / 2]
    const [toX, toY] = [box.column * COLUMN, box.row * ROW + BOX_HEIGHT / 2]
    const middle = x + (toX - x) / 2
    return [{ link, path: `M${x},${y} H${middle} V${toY} H${toX}`, isAcross: false }]
  })
  const beyond = across.flatMap((link): Line[] => {
    const [a, b] = [places.get(link.a), places.get(link.b)]
    if (!a || !b) return []
    const [x, y] = [a.column * COLUMN + BOX_WIDTH, a.row * ROW + BOX_HEIGHT / 2 + 6]
    const [toX, toY] = [b.column * COLUMN + BOX_WIDTH, b.row * ROW + BOX_HEIGHT / 2 + 6]
    const far = Math.max(x, toX) + 30
    return [{ link, path: `M${x},${y} C${far},${y} ${far},${toY} ${toX},${toY}`, isAcross: true }]
  })
  return [...down, ...beyond]
}
