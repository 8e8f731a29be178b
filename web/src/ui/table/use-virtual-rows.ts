import { useElementSize, useMergedRef } from '@mantine/hooks'
import { useRef, useState } from 'react'
import { visibleRows, scrollTopOf, type VisibleRows } from './virtual-rows.ts'

/** Virtual scrolling: the rows to render for the scroll position, and `show`, which scrolls a row into view. */
export function useVirtualRows(total: number, rowHeight: number, headHeight: number) {
  const scroller = useRef<HTMLDivElement>(null)
  const { ref: sized, height } = useElementSize<HTMLDivElement>()
  const ref = useMergedRef(scroller, sized)
  const [scrollTop, setScrollTop] = useState(0)
  const viewHeight = Math.max(0, height - headHeight)
  const drawn: VisibleRows = visibleRows({ total, rowHeight, viewHeight, scrollTop })
  return {
    ref,
    drawn,
    onScroll: () => setScrollTop(scroller.current?.scrollTop ?? 0),
    show: (row: number): void => {
      const at = scroller.current?.scrollTop ?? 0
      scroller.current?.scrollTo({
        top: scrollTopOf(row, { total, rowHeight, viewHeight, scrollTop: at }),
      })
    },
  }
}
