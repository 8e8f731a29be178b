import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { Plus, RotateCcwKey, Trash2 } from 'lucide-react'
import { useState } from 'react'
import {
  DeleteFlowSecretDocument,
  FlowSecretsDocument,
  SetFlowSecretDocument,
  type FlowSecretsData,
} from '#api/generated/secrets.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { Panel } from '#ui/panel.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { RowMenu } from '#ui/table/row-menu.tsx'
import { Time } from '#ui/time.tsx'
import styles from './secrets-panel.module.css'

type Secret = FlowSecretsData['flowSecrets'][number]

/** What steps name as {{secrets.NAME}}: set and replaced, never shown. */
export function SecretsPanel() {
  const may = usePermission()
  const { data, error, refetch } = useQuery(q(FlowSecretsDocument, {}))
  const [isAdding, setAdding] = useState(false)
  const add = may('flows:write') && (
    <Button
      size="xs"
      variant="default"
      leftSection={<Plus size={14} aria-hidden />}
      onClick={() => setAdding(true)}
    >
      New secret
    </Button>
  )
  return (
    <Panel title="Secrets" aside={add} isFlush>
      <DataTable
        label="Secrets"
        columns={may('flows:write') ? [...columns, ACTIONS] : columns}
        rows={data?.flowSecrets}
        keyOf={({ name }) => name}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <p className={styles['empty']}>
            None yet. Tokens and passwords that steps send to other systems: nobody reads them again, and run
            logs show dots.
          </p>
        }
      />
      {isAdding && <SecretForm onClose={() => setAdding(false)} />}
    </Panel>
  )
}

const columns: readonly Column<Secret>[] = [
  { title: 'In steps', cell: ({ name }) => <code>{`{{secrets.${name}}}`}</code> },
  { title: 'Set', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  { title: 'By', isMinor: true, cell: ({ updatedByName }) => updatedByName },
]

const ACTIONS: Column<Secret> = {
  title: '',
  align: 'right',
  cell: (secret) => <SecretMenu secret={secret} />,
}

function SecretMenu({ secret: { name } }: { readonly secret: Secret }) {
  const [open, setOpen] = useState<'replace' | 'delete'>()
  const close = () => setOpen(undefined)
  const remove = useChange(DeleteFlowSecretDocument, { done: 'Secret deleted', onDone: close })
  return (
    <>
      <RowMenu
        label={`Actions for ${name}`}
        actions={[
          { title: 'Replace…', icon: RotateCcwKey, onChoose: () => setOpen('replace') },
          { title: 'Delete…', icon: Trash2, isDestructive: true, onChoose: () => setOpen('delete') },
        ]}
      />
      {open === 'replace' && <SecretForm name={name} onClose={close} />}
      <ConfirmDialog
        isOpen={open === 'delete'}
        title={`Delete ${name}?`}
        action="Delete secret"
        isDestructive
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate({ name })}
        onClose={close}
      >
        <p>Steps that name it fail from then on. This cannot be undone.</p>
      </ConfirmDialog>
    </>
  )
}

interface SecretFormProps {
  /** Of the one that is replaced; absent: a new one. */
  readonly name?: string
  readonly onClose: () => void
}

function SecretForm({ name, onClose }: SecretFormProps) {
  const form = useForm({ initialValues: { name: name ?? '', value: '' } })
  const set = useChange(SetFlowSecretDocument, {
    isQuiet: true,
    done: name === undefined ? 'Secret stored' : 'Secret replaced',
  })
  return (
    <FormDialog
      isOpen
      title={name === undefined ? 'New secret' : `Replace ${name}`}
      action={name === undefined ? 'Store secret' : 'Replace secret'}
      form={form}
      onSubmit={(values) => set.mutateAsync(values)}
      onClose={onClose}
    >
      {name === undefined && (
        <TextInput
          label="Name"
          description="Lower-case letters, digits and _. One that exists is replaced."
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
      )}
      <PasswordInput
        label="Value"
        description="At least 6 characters. It is sealed, and never shown again."
        required
        autoComplete="off"
        {...form.getInputProps('value')}
      />
    </FormDialog>
  )
}
