import { notifications } from '@mantine/notifications'

export const toastDone = (message: string): void => {
  notifications.show({ message, color: 'accent', autoClose: 4_000 })
}

/** Stays until it is read: a failure must not vanish while somebody looks elsewhere. */
export const toastFailed = (message: string): void => {
  notifications.show({ title: 'That did not work', message, color: 'red', autoClose: false })
}
