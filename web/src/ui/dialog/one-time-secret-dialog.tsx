import { Button, Modal } from '@mantine/core'
import { CopyButton } from '../copy-button.tsx'
import styles from './one-time-secret-dialog.module.css'

interface OneTimeSecretDialogProps {
  readonly title: string
  /** Undefined: nothing to show. */
  readonly secret: string | undefined
  /** What it is for, and what happens when it is lost. */
  readonly children: React.ReactNode
  /** How the server keeps it; as a fingerprint, from which it cannot be had again, unless given. */
  readonly storageNote?: string
  readonly onClose: () => void
}

/** Shows a new secret, which the server never returns again; only the button closes it. */
export function OneTimeSecretDialog({
  title,
  secret,
  children,
  storageNote = 'Only its fingerprint is kept.',
  onClose,
}: OneTimeSecretDialogProps) {
  return (
    <Modal
      opened={secret !== undefined}
      onClose={onClose}
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <p className={styles['text']}>{children}</p>
      <div className={styles['secret']}>
        <code className={styles['value']}>{secret}</code>
        <CopyButton value={secret ?? ''} label="Copy the secret" />
      </div>
      <p className={styles['warning']}>It is shown this once. {storageNote}</p>
      <Button fullWidth onClick={onClose} data-autofocus>
        I have stored it
      </Button>
    </Modal>
  )
}
