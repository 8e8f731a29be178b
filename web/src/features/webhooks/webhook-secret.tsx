import { OneTimeSecretDialog } from '#ui/dialog/one-time-secret-dialog.tsx'

export interface IssuedSecret {
  readonly webhook: { readonly name: string }
  readonly secret: string
}

interface WebhookSecretProps {
  readonly issued: IssuedSecret | undefined
  readonly onClose: () => void
}

export function WebhookSecret({ issued, onClose }: WebhookSecretProps) {
  return (
    <OneTimeSecretDialog
      title={`Secret of ${issued?.webhook.name ?? ''}`}
      secret={issued?.secret}
      storageNote="The server keeps it encrypted, to sign with it, and shows it to nobody again."
      onClose={onClose}
    >
      The receiver checks with it that a delivery is ours and unchanged. If it is lost, rotate it.
    </OneTimeSecretDialog>
  )
}
