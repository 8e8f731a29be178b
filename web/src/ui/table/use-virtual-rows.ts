import { useDebouncedCallback, useElementSize, useMergedRef } from '@mantine/hooks'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { rowAtTop, visibleRows, scrollTopOf, topOf, type VisibleRows } from './virtual-rows.ts'

const REST_MS = 300

interface VirtualRowsProps {
  readonly rowHeight: number
  readonly headHeight: number
  /** The row at the top at first. */
  readonly start: number
  /** Called with the row at the top when scrolling has ended. */
  readonly onRest: ((row: number) => void) | undefined
}

/** Virtual scrolling: the rows to render for the scroll position, and `show`, which scrolls a row into view. */
export function useVirtualRows(total: number, { rowHeight, headHeight, start, onRest }: VirtualRowsProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const { ref: sized, height } = useElementSize<HTMLDivElement>()
  const ref = useMergedRef(scroller, sized)
  const [scrollTop, setScrollTop] = useState(0)
  const viewHeight = Math.max(0, height - headHeight)
  const at = { total, rowHeight, viewHeight, scrollTop }
  const drawn: VisibleRows = visibleRows(at)
  const rest = useDebouncedCallback(() => {
    if (scroller.current) onRest?.(rowAtTop({ ...at, scrollTop: scroller.current.scrollTop }))
  }, REST_MS)
  const begin = useEffectEvent(() => scroller.current?.scrollTo({ top: topOf(start, at) }))
  const isSized = viewHeight > 0
  useEffect(() => {
    if (isSized) begin()
  }, [isSized])
  return {
    ref,
    drawn,
    onScroll: () => {
      setScrollTop(scroller.current?.scrollTop ?? 0)
      rest()
    },
    show: (row: number): void => {
      const { scrollTop: top = 0 } = scroller.current ?? {}
      scroller.current?.scrollTo({ top: scrollTopOf(row, { ...at, scrollTop: top }) })
    },
  }
}
