import { Button } from '@mantine/core'
import styles from './undo-toast.module.css'

interface UndoToastProps {
  readonly message: string
  readonly onUndo: () => void
}

/** What was done, and a way back. */
export function UndoToast({ message, onUndo }: UndoToastProps) {
  return (
    <span className={styles['toast']}>
      {message}
      <Button size="compact-sm" variant="light" onClick={onUndo}>
        Undo
      </Button>
    </span>
  )
}
