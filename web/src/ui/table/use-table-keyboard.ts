import { useEffect, type MouseEvent, type RefObject } from 'react'
import type { Preview } from './use-address-value.ts'
import { useRowKeyboard } from './use-row-keyboard.ts'
import type { RowSelection } from './use-selection.ts'

const TABLES = 'main [data-rows]'
/** Not what acts on the row at once. */
const WAYS_IN = 'td:not([data-actions]) :is(a[href], button:not([disabled])), td [aria-haspopup="menu"]'

interface TableKeyboard {
  /** Of the rows, in the order in which they stand. */
  readonly ids: readonly string[]
  readonly selection?: RowSelection
  /** The ids of the rows that can be selected. */
  readonly offered?: readonly string[]
  readonly preview: Preview | undefined
}

/** The keys of lists for a table of the page: Enter follows the first link or button of the row, or opens its menu. */
export function useTableKeyboard(
  table: RefObject<HTMLElement | null>,
  { ids, selection, offered, preview }: TableKeyboard,
) {
  const rowAt = (index: number) => table.current?.querySelectorAll('tbody > tr')[index]
  const mark = (index: number) => {
    const id = ids[index]
    if (id !== undefined && offered?.includes(id)) void selection?.toggle(id, index)
  }
  const { cursor, setCursor } = useRowKeyboard({
    total: ids.length,
    onOpen: (index) => rowAt(index)?.querySelector<HTMLElement>(WAYS_IN)?.click(),
    ...(selection && { onMark: mark }),
    ...rowPreview(preview, (index) => ids[index]),
    ...((preview?.opened !== undefined || (selection && selection.size > 0)) && {
      onEscape: () => (preview?.opened === undefined ? selection?.clear() : preview.close()),
    }),
    start: preview?.opened === undefined ? -1 : ids.indexOf(preview.opened),
    isMeant: () => table.current !== null && table.current === meantTable(),
  })
  useEffect(() => {
    if (cursor >= 0)
      table.current?.querySelectorAll('tbody > tr')[cursor]?.scrollIntoView({ block: 'nearest' })
  }, [cursor, table])
  return { cursor, setCursor }
}

/** p shows the row beside its list, and what is shown moves with the keys. */
export function rowPreview(preview: Preview | undefined, idAt: (index: number) => string | undefined) {
  if (!preview) return {}
  const open = (index: number) => {
    const id = idAt(index)
    if (id !== undefined) preview.open(id)
  }
  return { onPreview: open, ...(preview.opened !== undefined && { onMove: open }) }
}

/** Whether a click in a row was for something in it, or selected text. */
export const isOnControl = ({ target }: MouseEvent): boolean =>
  (target instanceof Element &&
    target.closest('a, button, input, label, summary, [role="menu"], [role="dialog"]') !== null) ||
  document.getSelection()?.isCollapsed === false

/** The one that has the focus, else the first of the screen. */
const meantTable = (): Element | null =>
  document.activeElement?.closest(TABLES) ?? document.querySelector(TABLES)
