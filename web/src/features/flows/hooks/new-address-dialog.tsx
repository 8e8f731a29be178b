import { Button, Modal } from '@mantine/core'
import { CopyButton } from '#ui/copy-button.tsx'
import { curlCommand } from './curl-command.ts'
import styles from './hooks.module.css'

interface NewAddressDialogProps {
  readonly url: string
  /** The key of signatures; null: requests need none. */
  readonly secret: string | null
  readonly signature: string
  readonly fields: Readonly<Record<string, string>>
  readonly isOn: boolean
  readonly onClose: () => void
}

/** An address with its key, which the server never returns again; closes only by its button. */
export function NewAddressDialog({ url, secret, signature, fields, isOn, onClose }: NewAddressDialogProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      title="The address of this flow"
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <div className={styles['dialog']}>
        <p className="quiet">
          Each POST to it starts the flow; the fields of the body are {'{{event.NAME}}'} in its steps.
        </p>
        <Copied label="Address" value={url} />
        {secret !== null && <Copied label="Key of signatures" value={secret} />}
        <Copied
          label={secret === null ? 'Try it in a shell' : 'Try it in a shell, with the key in $SECRET'}
          value={curlCommand({ url, signature, fields })}
        />
        {!isOn && <p className="quiet">It answers 404 until the flow is published and on.</p>}
        <p className={styles['warning']}>
          Shown this once: only a fingerprint of the address is stored. Who knows it can start the flow.
        </p>
        <Button fullWidth onClick={onClose} data-autofocus>
          I have stored it
        </Button>
      </div>
    </Modal>
  )
}

function Copied({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <div role="group" aria-label={label}>
      <div className={styles['label']}>{label}</div>
      <div className={styles['secret']}>
        <code className={styles['value']}>{value}</code>
        <CopyButton value={value} label={`Copy: ${label}`} />
      </div>
    </div>
  )
}
