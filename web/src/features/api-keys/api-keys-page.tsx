import { Button, Switch } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { ApiKeysDocument, RevokeApiKeyDocument, type ApiKeyRow } from '#api/generated/api-keys.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { useFormOnArrival } from '#features/shell/palette/form-on-arrival.ts'
import { count } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Page } from '#ui/page.tsx'
import { Panel } from '#ui/panel.tsx'
import { OneTimeSecretDialog } from '#ui/dialog/one-time-secret-dialog.tsx'
import { isUsable } from './key-state.tsx'
import { KeyTable } from './key-table.tsx'
import { NewKeyForm } from './new-key-form.tsx'
import { RotateKeyForm } from './rotate-key-form.tsx'

interface Issued {
  readonly apiKey: { readonly name: string }
  readonly secret: string
}

export function ApiKeysPage() {
  const { data, error, refetch } = useQuery(q(ApiKeysDocument, {}))
  const [isMaking, making] = useDisclosure(false)
  useFormOnArrival(making.open)
  const [showsAll, setShowsAll] = useState(false)
  const [rotating, setRotating] = useState<ApiKeyRow>()
  const [revoking, setRevoking] = useState<ApiKeyRow>()
  const [issued, setIssued] = useState<Issued>()
  const usable = data?.apiKeys.filter(isUsable)
  const ended = (data?.apiKeys.length ?? 0) - (usable?.length ?? 0)
  return (
    <Page
      title="API keys"
      aside={usable && <Badge>{count(usable.length)}</Badge>}
      description="What scripts carry in the header X-API-Key. A key belongs to the organisation, not to who made it."
      actions={<NewKeyButton onClick={making.open} />}
    >
      {ended > 0 && (
        <Switch
          label={`Show keys that no longer work (${count(ended)})`}
          checked={showsAll}
          onChange={({ currentTarget }) => setShowsAll(currentTarget.checked)}
        />
      )}
      <Panel isFlush>
        <KeyTable
          rows={showsAll ? data?.apiKeys : usable}
          error={error}
          onRetry={() => void refetch()}
          onRotate={setRotating}
          onRevoke={setRevoking}
          empty={<NoKeys onMake={making.open} />}
        />
      </Panel>
      <NewKeyForm isOpen={isMaking} onIssued={setIssued} onClose={making.close} />
      {rotating && (
        <RotateKeyForm
          key={rotating.id}
          apiKey={rotating}
          onIssued={setIssued}
          onClose={() => setRotating(undefined)}
        />
      )}
      <RevokeDialog apiKey={revoking} onClose={() => setRevoking(undefined)} />
      <IssuedKey issued={issued} onClose={() => setIssued(undefined)} />
    </Page>
  )
}

interface NewKeyButtonProps {
  /** Beside the same button at the head of the page. */
  readonly isSecond?: boolean
  readonly onClick: () => void
}

function NewKeyButton({ isSecond = false, onClick }: NewKeyButtonProps) {
  const may = usePermission()
  return (
    <Button
      variant={isSecond ? 'default' : 'filled'}
      leftSection={<Plus size={14} aria-hidden />}
      disabled={!may('api_keys:write')}
      title={may('api_keys:write') ? undefined : 'Your role does not make keys'}
      onClick={onClick}
    >
      New key
    </Button>
  )
}

function NoKeys({ onMake }: { readonly onMake: () => void }) {
  return (
    <EmptyState
      icon={KeyRound}
      title="No key works at present"
      action={<NewKeyButton isSecond onClick={onMake} />}
    >
      Make one for each script or system that asks the REST API, so that each can be stopped alone.
    </EmptyState>
  )
}

interface IssuedKeyProps {
  readonly issued: Issued | undefined
  readonly onClose: () => void
}

function IssuedKey({ issued, onClose }: IssuedKeyProps) {
  return (
    <OneTimeSecretDialog
      title={`Key for ${issued?.apiKey.name ?? ''}`}
      secret={issued?.secret}
      onClose={onClose}
    >
      Send it in the header <code>X-API-Key</code> with every request to <code>/api/v1</code>. If it is lost,
      rotate the key.
    </OneTimeSecretDialog>
  )
}

interface RevokeDialogProps {
  readonly apiKey: ApiKeyRow | undefined
  readonly onClose: () => void
}

function RevokeDialog({ apiKey, onClose }: RevokeDialogProps) {
  const revoke = useChange(RevokeApiKeyDocument, { done: 'Key revoked', onDone: onClose })
  return (
    <ConfirmDialog
      isOpen={apiKey !== undefined}
      title={`Revoke ${apiKey?.name ?? ''}?`}
      action="Revoke key"
      isDestructive
      isBusy={revoke.isPending}
      onConfirm={() => apiKey && revoke.mutate({ id: apiKey.id })}
      onClose={onClose}
    >
      <p>
        Every request with <code>{apiKey?.prefix}…</code> is refused from now on, on every node. This cannot
        be undone.
      </p>
    </ConfirmDialog>
  )
}
