import { Button } from '@mantine/core'
import { BellRing, Plus, Power, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import {
  DeleteNoticeChannelDocument,
  SetNoticeChannelActiveDocument,
  TestNoticeChannelDocument,
  type NoticeChannelRow,
} from '#api/generated/notices.ts'
import { useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { Badge } from '#ui/badge.tsx'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { OneTimeSecretDialog } from '#ui/dialog/one-time-secret-dialog.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Panel } from '#ui/panel.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { RowMenu } from '#ui/table/row-menu.tsx'
import { Time } from '#ui/time.tsx'
import { toastDone, toastFailed } from '#ui/toast.ts'
import { ChannelForm } from './channel-form.tsx'
import { CHANNEL_KINDS } from './channel-kinds.ts'

export function ChannelsPanel({ channels }: { readonly channels: readonly NoticeChannelRow[] }) {
  const may = usePermission()
  const [isAdding, setAdding] = useState(false)
  const [secret, setSecret] = useState<string>()
  const add = may('notices:write') && (
    <Button
      size="xs"
      variant="default"
      leftSection={<Plus size={14} aria-hidden />}
      onClick={() => setAdding(true)}
    >
      New channel
    </Button>
  )
  return (
    <Panel title="Channels" aside={add} isFlush>
      <DataTable
        label="Channels"
        columns={[...columns, ...(may('notices:write') ? [ACTIONS] : [])]}
        rows={channels}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon={BellRing} title="No channel yet">
            Mail reaches members without one. A channel is a chat room, a phone, or another address.
          </EmptyState>
        }
      />
      {isAdding && <ChannelForm onSecret={setSecret} onClose={() => setAdding(false)} />}
      <OneTimeSecretDialog
        title="The secret of this channel"
        secret={secret}
        onClose={() => setSecret(undefined)}
      >
        What is sent to it is signed with this secret, as webhooks are.
      </OneTimeSecretDialog>
    </Panel>
  )
}

const columns: readonly Column<NoticeChannelRow>[] = [
  {
    title: 'Channel',
    cell: ({ name, kind, destination }) => (
      <TwoLines below={`${CHANNEL_KINDS[kind].label}, ${destination}`}>{name}</TwoLines>
    ),
  },
  {
    title: 'State',
    cell: (channel) => (
      <TwoLines below={channel.lastError ?? undefined}>
        <ChannelState {...channel} />
      </TwoLines>
    ),
  },
  {
    title: 'Last sent',
    isMinor: true,
    cell: ({ lastSentAt }) => (lastSentAt === null ? 'never' : <Time at={lastSentAt} />),
  },
]

function ChannelState({ kind, active, disabledReason, confirmedAt, failingSince }: NoticeChannelRow) {
  if (disabledReason !== null)
    return (
      <Badge tone="bad" sign="!">
        Switched off
      </Badge>
    )
  if (!active) return <Badge sign="○">Off</Badge>
  if (kind === 'mail' && confirmedAt === null)
    return (
      <Badge tone="info" sign="…">
        Not confirmed
      </Badge>
    )
  if (failingSince !== null)
    return (
      <Badge tone="warn" sign="!">
        Failing
      </Badge>
    )
  return (
    <Badge tone="good" sign="●">
      On
    </Badge>
  )
}

const ACTIONS: Column<NoticeChannelRow> = {
  title: '',
  align: 'right',
  cell: (channel) => <ChannelMenu channel={channel} />,
}

function ChannelMenu({ channel: { id, name, active } }: { readonly channel: NoticeChannelRow }) {
  const [isRemoving, setRemoving] = useState(false)
  const change = useChange(SetNoticeChannelActiveDocument, { done: active ? 'Switched off' : 'Switched on' })
  const remove = useChange(DeleteNoticeChannelDocument, { done: 'Channel removed' })
  const test = useChange(TestNoticeChannelDocument, {
    onDone: ({ testNoticeChannel: { success, error } }) =>
      success ? toastDone('The test was sent') : toastFailed(`Not sent: ${error}`),
  })
  return (
    <>
      <RowMenu
        label={`Actions for ${name}`}
        actions={[
          { title: 'Send a test', icon: Send, onChoose: () => test.mutate({ id }) },
          {
            title: active ? 'Switch off' : 'Switch on',
            icon: Power,
            onChoose: () => change.mutate({ id, active: !active }),
          },
          { title: 'Remove…', icon: Trash2, isDestructive: true, onChoose: () => setRemoving(true) },
        ]}
      />
      <ConfirmDialog
        isOpen={isRemoving}
        title={`Remove ${name}?`}
        action="Remove channel"
        isDestructive
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate({ id })}
        onClose={() => setRemoving(false)}
      >
        <p>Rules that lead to it tell nobody until they lead elsewhere. This cannot be undone.</p>
      </ConfirmDialog>
    </>
  )
}
