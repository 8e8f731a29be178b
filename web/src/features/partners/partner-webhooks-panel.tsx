import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Plus, Send, Trash2, Webhook } from 'lucide-react'
import { useState } from 'react'
import {
  DeletePartnerWebhookDocument,
  PartnerWebhooksDocument,
  TestPartnerWebhookDocument,
  type PartnerWebhookRow,
} from '#api/generated/partners.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { count } from '#lib/numbers.ts'
import { spaced } from '#lib/in-words.ts'
import { Badge } from '#ui/badge.tsx'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { OneTimeSecretDialog } from '#ui/dialog/one-time-secret-dialog.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Panel } from '#ui/panel.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { RowMenu } from '#ui/table/row-menu.tsx'
import { NewPartnerWebhookForm } from './new-partner-webhook-form.tsx'

export function PartnerWebhooksPanel({ partnerId }: { readonly partnerId: string }) {
  const may = usePermission()
  const [isCreating, setCreating] = useState(false)
  const [secret, setSecret] = useState<string>()
  return (
    <Panel
      title="Webhooks"
      isFlush
      aside={may('partners:write') && <NewWebhook onClick={() => setCreating(true)} />}
    >
      <WebhookTable partnerId={partnerId} />
      {isCreating && (
        <NewPartnerWebhookForm
          partnerId={partnerId}
          onIssued={setSecret}
          onClose={() => setCreating(false)}
        />
      )}
      <OneTimeSecretDialog
        title="Secret of the webhook"
        secret={secret}
        storageNote="The server keeps it encrypted, to sign with it, and shows it to nobody again."
        onClose={() => setSecret(undefined)}
      >
        Give it to the partner, whose receiver checks with it that a delivery is genuine and unchanged.
      </OneTimeSecretDialog>
    </Panel>
  )
}

function WebhookTable({ partnerId }: { readonly partnerId: string }) {
  const { data, error, refetch } = useQuery(q(PartnerWebhooksDocument, { id: partnerId }))
  const may = usePermission()
  const [deleting, setDeleting] = useState<PartnerWebhookRow>()
  const test = useChange(TestPartnerWebhookDocument, {
    done: ({ testPartnerWebhook: { success, error } }) =>
      success ? 'The receiver accepted the test' : `Test failed: ${error ?? 'no answer'}`,
  })
  const actions: Column<PartnerWebhookRow> = {
    title: '',
    align: 'right',
    cell: ({ id, name, ...webhook }) =>
      may('partners:write') && (
        <RowMenu
          label={`Actions for ${name}`}
          actions={[
            { title: 'Send a test', icon: Send, onChoose: () => test.mutate({ partnerId, id }) },
            {
              title: 'Delete…',
              icon: Trash2,
              isDestructive: true,
              onChoose: () => setDeleting({ id, name, ...webhook }),
            },
          ]}
        />
      ),
  }
  return (
    <>
      <DataTable
        label="Webhooks of the partner"
        columns={[...columns, actions]}
        rows={data?.partnerWebhooks}
        keyOf={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        empty={<NoWebhook />}
      />
      <DeleteDialog partnerId={partnerId} webhook={deleting} onClose={() => setDeleting(undefined)} />
    </>
  )
}

const NoWebhook = () => (
  <EmptyState icon={Webhook} title="No webhook yet">
    Events of this organisation are sent to the webhooks of its partners.
  </EmptyState>
)

const columns: readonly Column<PartnerWebhookRow>[] = [
  { title: 'Name', cell: ({ name, url }) => <TwoLines below={url}>{name}</TwoLines> },
  { title: 'State', cell: (webhook) => <State {...webhook} /> },
  {
    title: 'Events',
    isMinor: true,
    cell: ({ events }) => events.map((it) => spaced(it.toLowerCase())).join(', '),
  },
  {
    title: 'In 24 hours',
    isMinor: true,
    cell: ({ delivered, deadLetters, retrying }) =>
      `${count(delivered)} delivered, ${count(retrying)} retrying, ${count(deadLetters)} given up`,
  },
]

function State({ active, disabledReason, deadLetters, retrying, lastError }: PartnerWebhookRow) {
  if (!active) return <Badge sign="○">{disabledReason === null ? 'Disabled' : 'Paused'}</Badge>
  if (deadLetters + retrying === 0)
    return (
      <Badge tone="good" sign="●">
        Active
      </Badge>
    )
  return (
    <TwoLines below={lastError}>
      <Badge tone="warn" sign="!">
        Failing
      </Badge>
    </TwoLines>
  )
}

function NewWebhook({ onClick }: { readonly onClick: () => void }) {
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<Plus size={14} aria-hidden />}
      onClick={onClick}
    >
      New webhook
    </Button>
  )
}

interface DeleteDialogProps {
  readonly partnerId: string
  readonly webhook: PartnerWebhookRow | undefined
  readonly onClose: () => void
}

function DeleteDialog({ partnerId, webhook, onClose }: DeleteDialogProps) {
  const remove = useChange(DeletePartnerWebhookDocument, { done: 'Webhook deleted', onDone: onClose })
  return (
    <ConfirmDialog
      isOpen={webhook !== undefined}
      title={`Delete ${webhook?.name ?? ''}?`}
      action="Delete webhook"
      isDestructive
      isBusy={remove.isPending}
      onConfirm={() => webhook && remove.mutate({ partnerId, id: webhook.id })}
      onClose={onClose}
    >
      <p>What waits to be delivered to it is dropped. This cannot be undone.</p>
    </ConfirmDialog>
  )
}
