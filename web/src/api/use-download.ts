import { useMutation } from '@tanstack/react-query'
import { toastFailed } from '#ui/toast.ts'
import { messageOf } from './errors.ts'

/** A file that the server has to make first: the frame shows that it is on its way, a notification why it did not come. */
export function useDownload<Asked>(mutationFn: (asked: Asked) => Promise<void>) {
  return useMutation({ mutationFn, onError: (error) => toastFailed(messageOf(error)) })
}
