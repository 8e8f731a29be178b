import { useEffect, type RefObject } from 'react'
import { useRowKeyboard } from './use-row-keyboard.ts'

const TABLES = 'main [data-rows]'
/** Not what acts on the row at once. */
const WAYS_IN = 'td:not([data-actions]) :is(a[href], button:not([disabled])), td [aria-haspopup="menu"]'

/** The keys of lists for a table of the page: Enter follows the first link or button of the row, or opens its menu. */
export function useTableKeyboard(table: RefObject<HTMLElement | null>, total: number) {
  const rowAt = (index: number) => table.current?.querySelectorAll('tbody > tr')[index]
  const { cursor } = useRowKeyboard({
    total,
    onOpen: (index) => rowAt(index)?.querySelector<HTMLElement>(WAYS_IN)?.click(),
    isMeant: () => table.current !== null && table.current === meantTable(),
  })
  useEffect(() => {
    if (cursor >= 0)
      table.current?.querySelectorAll('tbody > tr')[cursor]?.scrollIntoView({ block: 'nearest' })
  }, [cursor, table])
  return { cursor }
}

/** The one that has the focus, else the first of the screen. */
const meantTable = (): Element | null =>
  document.activeElement?.closest(TABLES) ?? document.querySelector(TABLES)
