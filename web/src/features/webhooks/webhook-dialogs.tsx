import {
  DeleteWebhookDocument,
  RotateWebhookSecretDocument,
  type WebhookRow,
} from '#api/generated/webhooks.ts'
import { useChange } from '#api/query-client.ts'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { ReplayForm } from './replay-form.tsx'
import { TestDialog } from './test-dialog.tsx'
import { WebhookForm } from './webhook-form.tsx'
import type { IssuedSecret } from './webhook-secret.tsx'
import type { WebhookAct } from './webhook-table.tsx'

interface DialogProps {
  readonly webhook: WebhookRow
  readonly onIssued: (issued: IssuedSecret) => void
  readonly onClose: () => void
}

/** The dialog of the chosen action on a webhook. */
export function WebhookDialogs({ act, ...dialog }: DialogProps & { readonly act: WebhookAct }) {
  switch (act) {
    case 'edit':
      return <WebhookForm {...dialog} />
    case 'rotate':
      return <RotateDialog {...dialog} />
    case 'test':
      return <TestDialog {...dialog} />
    case 'replay':
      return <ReplayForm {...dialog} />
    case 'delete':
      return <DeleteDialog {...dialog} />
  }
}

function RotateDialog({ webhook, onIssued, onClose }: DialogProps) {
  const rotate = useChange(RotateWebhookSecretDocument, {
    onDone: ({ rotateWebhookSecret }) => {
      onClose()
      onIssued(rotateWebhookSecret)
    },
  })
  return (
    <ConfirmDialog
      isOpen
      title={`Rotate the secret of ${webhook.name}?`}
      action="Rotate secret"
      isDestructive
      isBusy={rotate.isPending}
      onConfirm={() => rotate.mutate({ id: webhook.id })}
      onClose={onClose}
    >
      <p>
        From now on deliveries are signed with a new secret, those that wait included. The receiver refuses
        them until it knows the new one.
      </p>
    </ConfirmDialog>
  )
}

function DeleteDialog({ webhook, onClose }: DialogProps) {
  const remove = useChange(DeleteWebhookDocument, { done: 'Webhook deleted', onDone: onClose })
  return (
    <ConfirmDialog
      isOpen
      title={`Delete ${webhook.name}?`}
      action="Delete webhook"
      isDestructive
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate({ id: webhook.id })}
      onClose={onClose}
    >
      <p>
        Nothing is sent to <code>{webhook.url}</code> any more, and its deliveries are gone. This cannot be
        undone; to stop for a while, change it to be inactive.
      </p>
    </ConfirmDialog>
  )
}
