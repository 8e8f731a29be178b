import { Button, Modal } from '@mantine/core'
import { CopyButton } from '../copy-button.tsx'
import styles from './one-time-secret-dialog.module.css'

interface OneTimeSecretDialogProps {
  readonly title: string
  /** Undefined: closed. */
  readonly secret: string | undefined
  /** What the secret is for, and what to do if it is lost. */
  readonly children: React.ReactNode
  /** How the server stores the secret; by default as a digest. */
  readonly storageNote?: string
  readonly onClose: () => void
}

/** Displays a new secret, which the server never returns again; closes only by its button. */
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
