import { notifications } from '@mantine/notifications'

export const toastDone = (message: string): void => {
  notifications.show({ message, color: 'accent', autoClose: 4_000 })
}

/** Stays until it is closed, so that failures are not missed. */
export const toastFailed = (message: string): void => {
  notifications.show({ title: 'That did not work', message, color: 'red', autoClose: false })
}
