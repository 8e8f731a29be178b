import { useElementSize, useMergedRef } from '@mantine/hooks'
import { useRef, useState } from 'react'
import { visibleRows, scrollTopOf, type VisibleRows } from './virtual-rows.ts'

/** Of a long list in a scrolling element: the rows to draw now, and how to bring one into sight. */
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
