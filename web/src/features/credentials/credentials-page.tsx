import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus, Vault } from 'lucide-react'
import { useState } from 'react'
import {
  CredentialsDocument,
  DeleteCredentialDocument,
  WaitingHostKeysDocument,
  type CredentialRow,
} from '#api/generated/credentials.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { useFormOnArrival } from '#features/shell/palette/form-on-arrival.ts'
import { count } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Page } from '#ui/page.tsx'
import { Pagination } from '#ui/table/pagination.tsx'
import { Panel } from '#ui/panel.tsx'
import { useOffset } from '#ui/table/use-address-value.ts'
import { CredentialForm } from './credential-form.tsx'
import { CredentialTable } from './credential-table.tsx'

const SIZE = 50

export function CredentialsPage() {
  const [offset, setOffset] = useOffset('Credentials')
  const { data, error, refetch } = useQuery({
    ...q(CredentialsDocument, { first: SIZE, offset }),
    placeholderData: keepPreviousData,
  })
  const [isMaking, making] = useDisclosure(false)
  useFormOnArrival(making.open)
  const [editing, setEditing] = useState<CredentialRow>()
  const [deleting, setDeleting] = useState<CredentialRow>()
  const total = data?.credentials.total
  return (
    <Page
      title="Credentials"
      aside={total !== undefined && <Badge>{count(total)}</Badge>}
      description="What scans show to hosts to be let in. They are stored encrypted, shown to nobody again, and sent to hosts of their networks alone."
      actions={
        <>
          <HostKeysButton />
          <NewCredentialButton onClick={making.open} />
        </>
      }
    >
      <Panel isFlush>
        <CredentialTable
          rows={data?.credentials.items}
          total={data?.credentials.total}
          error={error}
          onRetry={() => void refetch()}
          onEdit={setEditing}
          onDelete={setDeleting}
          empty={<NoCredentials onMake={making.open} />}
        />
        {total !== undefined && <Pagination total={total} offset={offset} size={SIZE} onOffset={setOffset} />}
      </Panel>
      <CredentialForm isOpen={isMaking} onClose={making.close} />
      {editing && (
        <CredentialForm key={editing.id} credential={editing} isOpen onClose={() => setEditing(undefined)} />
      )}
      <DeleteDialog credential={deleting} onClose={() => setDeleting(undefined)} />
    </Page>
  )
}

/** Link to the host keys, with the number that wait for approval. */
function HostKeysButton() {
  const { data } = useQuery(q(WaitingHostKeysDocument, {}))
  const waiting = data?.hostKeys.total ?? 0
  return (
    <Button
      variant="default"
      rightSection={waiting > 0 && <Badge tone="warn">{count(waiting)} waiting</Badge>}
      renderRoot={(props) => <Link to="/host-keys" {...props} />}
    >
      Host keys
    </Button>
  )
}

function NoCredentials({ onMake }: { readonly onMake: () => void }) {
  return (
    <EmptyState
      icon={Vault}
      title="No credentials yet"
      action={<NewCredentialButton isSecond onClick={onMake} />}
    >
      Sweeps need none. To look into hosts, store an account for SSH, SNMP, Windows or a hypervisor.
    </EmptyState>
  )
}

interface NewCredentialButtonProps {
  /** Beside the same button at the head of the page. */
  readonly isSecond?: boolean
  readonly onClick: () => void
}

function NewCredentialButton({ isSecond = false, onClick }: NewCredentialButtonProps) {
  const may = usePermission()
  return (
    <Button
      variant={isSecond ? 'default' : 'filled'}
      leftSection={<Plus size={14} aria-hidden />}
      disabled={!may('credentials:write')}
      title={may('credentials:write') ? undefined : 'Your role does not store credentials'}
      onClick={onClick}
    >
      New credential
    </Button>
  )
}

interface DeleteDialogProps {
  readonly credential: CredentialRow | undefined
  readonly onClose: () => void
}

function DeleteDialog({ credential, onClose }: DeleteDialogProps) {
  const remove = useChange(DeleteCredentialDocument, { done: 'Credential deleted', onDone: onClose })
  return (
    <ConfirmDialog
      isOpen={credential !== undefined}
      title={`Delete ${credential?.name ?? ''}?`}
      action="Delete credential"
      isDestructive
      isBusy={remove.isPending}
      onConfirm={() => credential && remove.mutate({ id: credential.id })}
      onClose={onClose}
    >
      <p>Its secret is removed, and scans show it to no host any more. What they found stays.</p>
    </ConfirmDialog>
  )
}
