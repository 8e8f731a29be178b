import { ActionIcon, Menu } from '@mantine/core'
import { Ellipsis, type LucideIcon } from 'lucide-react'

interface RowAction {
  readonly title: string
  readonly icon: LucideIcon
  readonly isDestructive?: boolean
  readonly isDisabled?: boolean
  readonly onChoose: () => void
}

interface RowMenuProps {
  /** Accessible name of the row. */
  readonly label: string
  readonly actions: readonly RowAction[]
}

/** Menu with the actions of one row; renders nothing without actions. */
export function RowMenu({ label, actions }: RowMenuProps) {
  if (actions.length === 0) return null
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={label}>
          <Ellipsis size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ title, icon: Icon, isDestructive = false, isDisabled = false, onChoose }) => (
          <Menu.Item
            key={title}
            leftSection={<Icon size={14} aria-hidden />}
            color={isDestructive ? 'red' : undefined}
            disabled={isDisabled}
            onClick={onChoose}
          >
            {title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
