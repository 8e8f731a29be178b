import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useRefreshSession } from '#features/settings/use-refresh-session.ts'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { toastDone, toastFailed } from '#ui/toast.ts'
import { closeDemo, REMOVE_DEMO } from './own-tenants.ts'

/** Not within the demo itself: its pages lose their access before the answer comes. */
export function RemoveDemo({ name }: { readonly name: string }) {
  const [isAsking, setAsking] = useState(location.hash === REMOVE_DEMO)
  const refresh = useRefreshSession()
  const close = useMutation({
    mutationFn: closeDemo,
    onSuccess: async () => {
      toastDone(`${name} is gone`)
      await refresh()
    },
    onError: ({ message }) => toastFailed(message),
  })
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setAsking(true)}>
        Remove
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={`Remove ${name}?`}
        action="Remove the demo"
        isDestructive
        isBusy={close.isPending || close.isSuccess}
        onConfirm={() => close.mutate()}
        onClose={() => setAsking(false)}
      >
        All that is in it goes for good, with what you changed in it. You can have a new one at any time.
      </ConfirmDialog>
    </>
  )
}
