import { Button, Modal, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { CollectorsDocument, CreateCollectorDocument } from '#api/generated/collectors.ts'
import { q, useChange } from '#api/query-client.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import styles from './add-collector-dialog.module.css'
import { CollectorStateBadge } from './collector-state-badge.tsx'

const ASK_EVERY_MS = 3_000

interface Issued {
  readonly id: string
  readonly name: string
  readonly secret: string
}

/** Asks for a name, then shows this once what the other machine is told, and waits for it. */
export function AddCollectorDialog({ onClose }: { readonly onClose: () => void }) {
  const [issued, setIssued] = useState<Issued>()
  const isMade = useRef(false)
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: (name) => (name.trim() === '' ? 'Give it a name, such as that of its site.' : null) },
  })
  const create = useChange(CreateCollectorDocument, {
    isQuiet: true,
    onDone: ({ createCollector: { collector, secret } }) => {
      isMade.current = true
      setIssued({ ...collector, secret })
    },
  })
  if (issued) return <Instructions issued={issued} onClose={onClose} />
  return (
    <FormDialog
      isOpen
      title="Add collector"
      action="Add collector"
      form={form}
      onSubmit={({ name }) => create.mutateAsync({ name: name.trim() })}
      onClose={() => {
        // once submitted, the dialog goes on with the line for the other machine
        if (!isMade.current) onClose()
      }}
    >
      <TextInput
        label="Name"
        description="Of the site or the network that it scans."
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
    </FormDialog>
  )
}

function Instructions({
  issued: { id, name, secret },
  onClose,
}: {
  readonly issued: Issued
  readonly onClose: () => void
}) {
  const { data } = useQuery({ ...q(CollectorsDocument, {}), refetchInterval: ASK_EVERY_MS })
  const collector = data?.collectors.find((it) => it.id === id)
  const text = `ROLES=collector COLLECTOR_SERVER=${location.origin} COLLECTOR_SECRET=${secret} npm start`
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Collector ${name}`}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <p>On the machine that is to scan, in a folder with Rollcall, within a day:</p>
      <div className={styles['line']}>
        <code className={styles['text']}>{text}</code>
        <CopyButton value={text} label="Copy the line" />
      </div>
      <p className="quiet">
        It needs no database and opens no port. The secret in the line is shown this once and serves once;
        then give targets to the collector under Edit.
      </p>
      <div role="status">{collector && <CollectorStateBadge state={collector.state} />}</div>
      <Button fullWidth mt="md" variant="default" onClick={onClose}>
        Done
      </Button>
    </Modal>
  )
}
