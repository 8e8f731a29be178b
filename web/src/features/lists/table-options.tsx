import { ActionIcon, Button, Popover, Tooltip } from '@mantine/core'
import { Columns3, Rows3, Rows4 } from 'lucide-react'
import { ArrangedList } from '#ui/arranged-list.tsx'
import styles from './table-options.module.css'
import type { ColumnLayout } from './use-column-layout.ts'

interface TableOptionsProps<Row> {
  readonly layout: ColumnLayout<Row>
  /** The columns are to be chosen from. */
  readonly onChoose?: (() => void) | undefined
}

export function TableOptions<Row>({ layout, onChoose }: TableOptionsProps<Row>) {
  const { all, columns, isCompact, setCompact, toggle, move, reset } = layout
  const label = isCompact ? 'Wider rows' : 'Tighter rows'
  const Icon = isCompact ? Rows3 : Rows4
  const shown = columns.map(({ key }) => key)
  const items = [...columns, ...all.filter(({ key }) => !shown.includes(key))].map(({ key, title }) => ({
    id: key,
    title,
    isShown: shown.includes(key),
    isFixed: key === 'name',
    isMovable: shown.includes(key),
  }))
  return (
    <div className={styles['options']}>
      <Popover
        position="bottom-end"
        width={290}
        {...(onChoose && { onOpen: onChoose })}
        trapFocus
        returnFocus
        withRoles
      >
        <Popover.Target>
          <Button variant="default" leftSection={<Columns3 size={14} aria-hidden />}>
            Columns
          </Button>
        </Popover.Target>
        <Popover.Dropdown className={styles['columns']} aria-label="Columns">
          <ArrangedList label="Columns" items={items} onToggle={toggle} onMove={move} />
          <Button variant="subtle" onClick={reset}>
            As usual
          </Button>
        </Popover.Dropdown>
      </Popover>
      <Tooltip label={label}>
        <ActionIcon variant="default" size={30} aria-label={label} onClick={() => setCompact(!isCompact)}>
          <Icon size={15} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </div>
  )
}
