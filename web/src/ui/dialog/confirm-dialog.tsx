import { Button, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useReturnFocus } from './use-return-focus.ts'
import styles from './form-dialog.module.css'

interface ConfirmDialogProps {
  readonly isOpen: boolean
  readonly title: string
  /** The consequences, and whether they can be undone. */
  readonly children: ReactNode
  /** Label of the button: a verb, such as `Revoke key`. */
  readonly action: string
  readonly isDestructive?: boolean
  readonly isBusy?: boolean
  readonly size?: string
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks for confirmation. The cancel button has the focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, title, children, action, isDestructive = false, isBusy = false, size = 'md' } = props
  useReturnFocus()
  return (
    <Modal opened={isOpen} onClose={props.onClose} title={title} size={size}>
      <div className={styles['fields']}>{children}</div>
      <div className={styles['buttons']}>
        <Button variant="default" onClick={props.onClose} data-autofocus>
          Cancel
        </Button>
        <Button color={isDestructive ? 'red' : 'accent'} loading={isBusy} onClick={props.onConfirm}>
          {action}
        </Button>
      </div>
    </Modal>
  )
}
