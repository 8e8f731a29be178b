import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Ban, KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { PartnerKeysDocument, RevokePartnerKeyDocument, type PartnerKeyRow } from '#api/generated/partners.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { Chip } from '#ui/badge.tsx'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { OneTimeSecretDialog } from '#ui/dialog/one-time-secret-dialog.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Panel } from '#ui/panel.tsx'
import { Several, TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { RowMenu } from '#ui/table/row-menu.tsx'
import { Day, Time } from '#ui/time.tsx'
import { NewPartnerKeyForm } from './new-partner-key-form.tsx'
import { scopeName } from './partner-scopes.ts'

const SHOWN_MAX = 100

export function PartnerKeysPanel({ partnerId }: { readonly partnerId: string }) {
  const { data, error, refetch } = useQuery(
    q(PartnerKeysDocument, { id: partnerId, first: SHOWN_MAX, offset: 0 }),
  )
  const may = usePermission()
  const [isCreating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState<PartnerKeyRow>()
  const [secret, setSecret] = useState<string>()
  const actions: Column<PartnerKeyRow> = {
    title: '',
    align: 'right',
    cell: (key) =>
      may('partners:write') && (
        <RowMenu
          label={`Actions for ${key.name || key.prefix}`}
          actions={[{ title: 'Revoke…', icon: Ban, isDestructive: true, onChoose: () => setRevoking(key) }]}
        />
      ),
  }
  return (
    <Panel title="Keys" isFlush aside={may('partners:write') && <NewKey onClick={() => setCreating(true)} />}>
      <DataTable
        label="Keys of the partner"
        columns={[...columns, actions]}
        rows={data?.partnerKeys.items}
        keyOf={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <EmptyState icon={KeyRound} title="No key yet">
            The partner sends a key in the header X-Partner-Key.
          </EmptyState>
        }
      />
      {isCreating && (
        <NewPartnerKeyForm partnerId={partnerId} onIssued={setSecret} onClose={() => setCreating(false)} />
      )}
      <OneTimeSecretDialog title="Key of the partner" secret={secret} onClose={() => setSecret(undefined)}>
        The partner sends it in the header <code>X-Partner-Key</code> with every request below{' '}
        <code>/api/v1/partners/{partnerId}</code>.
      </OneTimeSecretDialog>
      <RevokeDialog partnerId={partnerId} partnerKey={revoking} onClose={() => setRevoking(undefined)} />
    </Panel>
  )
}

const columns: readonly Column<PartnerKeyRow>[] = [
  {
    title: 'Name',
    cell: ({ name, prefix }) => <TwoLines below={<code>{prefix}…</code>}>{name || 'No name'}</TwoLines>,
  },
  {
    title: 'Scopes',
    cell: ({ scopes }) => (
      <Several>
        {scopes.map((scope) => (
          <Chip key={scope}>{scopeName(scope)}</Chip>
        ))}
      </Several>
    ),
  },
  { title: 'Last used', isMinor: true, cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
  { title: 'Expires', isMinor: true, cell: ({ expiresAt }) => <Day at={expiresAt} /> },
]

function NewKey({ onClick }: { readonly onClick: () => void }) {
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<Plus size={14} aria-hidden />}
      onClick={onClick}
    >
      New key
    </Button>
  )
}

interface RevokeDialogProps {
  readonly partnerId: string
  readonly partnerKey: PartnerKeyRow | undefined
  readonly onClose: () => void
}

function RevokeDialog({ partnerId, partnerKey, onClose }: RevokeDialogProps) {
  const revoke = useChange(RevokePartnerKeyDocument, { done: 'Key revoked', onDone: onClose })
  return (
    <ConfirmDialog
      isOpen={partnerKey !== undefined}
      title={`Revoke ${partnerKey?.name || 'this key'}?`}
      action="Revoke key"
      isDestructive
      isBusy={revoke.isPending}
      onConfirm={() => partnerKey && revoke.mutate({ partnerId, id: partnerKey.id })}
      onClose={onClose}
    >
      <p>
        Every request with <code>{partnerKey?.prefix}…</code> is refused from now on. This cannot be undone.
      </p>
    </ConfirmDialog>
  )
}
