import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core'
import { Check, Columns3, Rows3, Rows4 } from 'lucide-react'
import styles from './table-options.module.css'
import type { useTableOptions } from './use-table-options.ts'

export function TableOptions({
  tableOptions,
}: {
  readonly tableOptions: ReturnType<typeof useTableOptions>
}) {
  const { all, columns, isCompact, setCompact, choose, toggle, reset } = tableOptions
  const label = isCompact ? 'Wider rows' : 'Tighter rows'
  const Icon = isCompact ? Rows3 : Rows4
  const isShown = (key: string) => columns.some((column) => column.key === key)
  return (
    <div className={styles['options']}>
      <Menu closeOnItemClick={false} position="bottom-end" width={210} onOpen={choose}>
        <Menu.Target>
          <Button variant="default" leftSection={<Columns3 size={14} aria-hidden />}>
            Columns
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {all.slice(1).map(({ key, title }) => (
            <Menu.Item
              key={key}
              role="menuitemcheckbox"
              aria-checked={isShown(key)}
              onClick={() => toggle(key)}
              rightSection={isShown(key) && <Check size={14} aria-hidden />}
            >
              {title}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item onClick={reset}>As usual</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Tooltip label={label}>
        <ActionIcon variant="default" size={30} aria-label={label} onClick={() => setCompact(!isCompact)}>
          <Icon size={15} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </div>
  )
}
