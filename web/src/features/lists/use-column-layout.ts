import { useLocalStorage } from '@mantine/hooks'
import { useMemo } from 'react'
import {
  movedColumn,
  readColumns,
  resizedColumn,
  toggledColumn,
  writeColumns,
  type LaidOutColumn,
} from './column-layout.ts'
import type { ListColumn } from './list-column.ts'
import type { ListSearch } from './list-search.ts'
import { useListSearch } from './use-list-search.ts'

interface LayoutOf<Column> {
  /** What the list is of; this browser keeps its layout under it. */
  readonly subject: string
  readonly all: readonly Column[]
  readonly search: ListSearch
}

/**
 * The columns in their order with their widths, and the row density. They are those of the address, which views have;
 * else those of this browser.
 */
export function useColumnLayout<Row, Column extends ListColumn<Row>>({
  subject,
  all,
  search,
}: LayoutOf<Column>) {
  const change = useListSearch()
  const usual = writeColumns(all.filter(({ isExtra }) => !isExtra).map(({ key }) => ({ key })))
  const [own, setOwn] = useLocalStorage({ key: `rollcall-${subject}-layout`, defaultValue: usual })
  const [isCompact, setCompact] = useLocalStorage({ key: `rollcall-${subject}-compact`, defaultValue: false })
  const text = search.columns ?? own
  const layout = useMemo(() => readColumns(text), [text])
  const columns = useMemo(() => layout.flatMap((it) => shownColumn(all, it) ?? []), [all, layout])
  const set = (next: readonly LaidOutColumn[]) =>
    search.columns === undefined
      ? setOwn(writeColumns(next))
      : change({ columns: writeColumns(next) }, { isReplacing: true })
  return {
    all,
    columns,
    /** For views, where it is another one than everybody has. */
    text: text === usual ? undefined : text,
    isCompact,
    setCompact,
    toggle: (key: string) => set(toggledColumn(layout, key)),
    move: (key: string, by: -1 | 1) => set(movedColumn(layout, key, by)),
    resize: (key: string, width: number) => set(resizedColumn(layout, key, width)),
    reset: () => set(readColumns(usual)),
  }
}

export interface ColumnLayout<Row> extends Omit<ReturnType<typeof useColumnLayout>, 'all' | 'columns'> {
  readonly all: readonly ListColumn<Row>[]
  readonly columns: readonly ListColumn<Row>[]
}

function shownColumn<Column extends ListColumn<never>>(
  all: readonly Column[],
  { key, width }: LaidOutColumn,
): Column | undefined {
  const column = all.find((it) => it.key === key)
  return column && width !== undefined ? { ...column, width, grow: 0, fillsWidth: false } : column
}
