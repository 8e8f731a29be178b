import { useRef, type KeyboardEvent, type PointerEvent } from 'react'
import styles from './column-width.module.css'

interface ColumnWidthProps {
  readonly title: string
  /** In rem. */
  readonly width: number
  readonly onWidth: (width: number) => void
}

const STEP = 1
const LEAST = 3
const MOST = 60

/** The edge of a column, which is pulled, or moved by the arrow keys. */
export function ColumnWidth({ title, width, onWidth }: ColumnWidthProps) {
  const start = useRef<{ x: number; width: number }>(undefined)
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    const cell = event.currentTarget.parentElement
    if (!cell) return
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    start.current = { x: event.clientX, width: cell.getBoundingClientRect().width / rootFontSize() }
  }
  const onPointerMove = ({ clientX }: PointerEvent) => {
    const { current } = start
    if (current) onWidth(current.width + (clientX - current.x) / rootFontSize())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key]
    if (by === undefined) return
    event.preventDefault()
    event.stopPropagation()
    onWidth(width + by)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a separator that takes the focus is a widget
    <span
      role="separator"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as above
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={`Width of ${title}`}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      aria-valuenow={Math.round(width)}
      className={styles['edge']}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => (start.current = undefined)}
      onKeyDown={onKeyDown}
    />
  )
}

const rootFontSize = (): number => parseFloat(getComputedStyle(document.documentElement).fontSize)
