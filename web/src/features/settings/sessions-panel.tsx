import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '#api/errors.ts'
import { signOutEverywhere } from '#api/session.ts'
import { Badge } from '#ui/badge.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { Panel } from '#ui/panel.tsx'
import { Time } from '#ui/time.tsx'
import { toastDone, toastFailed } from '#ui/toast.ts'
import { endSession, sessionsQuery, type SessionInfo } from './account-requests.ts'
import { browserName } from './user-agent.ts'

/** The sessions of the person. */
export function SessionsPanel() {
  const { data, error, refetch } = useQuery(sessionsQuery)
  const [isAsking, setAsking] = useState(false)
  const leave = useMutation({
    mutationFn: signOutEverywhere,
    onSuccess: () => location.assign('/sign-in'),
    onError: (failure) => toastFailed(messageOf(failure)),
  })
  return (
    <Panel
      title="Signed in at"
      aside={
        <Button variant="default" onClick={() => setAsking(true)}>
          Sign out everywhere
        </Button>
      }
      isFlush
    >
      <DataTable
        label="Sessions"
        columns={[...columns, useEnd()]}
        rows={data}
        keyOf={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        empty={null}
      />
      <ConfirmDialog
        isOpen={isAsking}
        title="Sign out everywhere?"
        action="Sign out everywhere"
        isDestructive
        isBusy={leave.isPending}
        onConfirm={() => leave.mutate()}
        onClose={() => setAsking(false)}
      >
        <p>Every session of yours ends, this one too.</p>
      </ConfirmDialog>
    </Panel>
  )
}

const columns: readonly Column<SessionInfo>[] = [
  {
    title: 'Browser',
    cell: ({ userAgent, address, isCurrent }) => (
      <TwoLines below={<code>{address}</code>}>
        <span title={userAgent}>{browserName(userAgent)}</span>{' '}
        {isCurrent && <Badge tone="accent">This one</Badge>}
      </TwoLines>
    ),
  },
  { title: 'Last seen', cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
  { title: 'Since', isMinor: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

function useEnd(): Column<SessionInfo> {
  const client = useQueryClient()
  const end = useMutation({
    mutationFn: endSession,
    onSuccess: async () => {
      toastDone('Session ended')
      await client.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    },
    onError: (failure) => toastFailed(messageOf(failure)),
  })
  return {
    title: '',
    align: 'right',
    cell: ({ id, isCurrent, userAgent }) =>
      !isCurrent && (
        <Button
          variant="default"
          aria-label={`End the session of ${browserName(userAgent)}`}
          onClick={() => end.mutate(id)}
        >
          End
        </Button>
      ),
  }
}
