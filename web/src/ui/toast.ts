import { notifications } from '@mantine/notifications'
import { createElement } from 'react'
import { UndoToast } from './undo-toast.tsx'

const READ_MS = 4_000
const UNDO_MS = 12_000

/** With `undo` it stays longer, and has a button. */
export const toastDone = (message: string, undo?: () => void): void => {
  if (!undo) return void notifications.show({ message, color: 'accent', autoClose: READ_MS })
  const onUndo = (): void => {
    notifications.hide(id)
    undo()
  }
  const id = notifications.show({
    message: createElement(UndoToast, { message, onUndo }),
    color: 'accent',
    autoClose: UNDO_MS,
  })
}

/** Stays until it is closed, so that failures are not missed. */
export const toastFailed = (message: string): void => {
  notifications.show({ title: 'That did not work', message, color: 'red', autoClose: false })
}
