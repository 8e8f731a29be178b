import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check, Fingerprint, Trash2 } from 'lucide-react'
import { useState } from 'react'
import {
  AcceptHostKeyDocument,
  ForgetHostKeyDocument,
  HostKeysDocument,
  type HostKeyRow,
} from '#api/generated/operations.ts'
import { q, useChange } from '#api/queries.ts'
import { useMay } from '#api/use-may.ts'
import { count } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { TwoLines } from '#ui/cell.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { DataTable, type Column } from '#ui/data-table.tsx'
import { Empty } from '#ui/empty.tsx'
import { Page } from '#ui/page.tsx'
import { Pager } from '#ui/pager.tsx'
import { Panel } from '#ui/panel.tsx'
import { RowMenu } from '#ui/row-menu.tsx'
import { Time } from '#ui/time.tsx'

const SIZE = 50

export function HostKeysPage() {
  const [offset, setOffset] = useState(0)
  const { data, error, refetch } = useQuery({
    ...q(HostKeysDocument, { first: SIZE, offset }),
    placeholderData: keepPreviousData,
  })
  const [accepting, setAccepting] = useState<HostKeyRow>()
  const total = data?.hostKeys.total
  return (
    <Page
      title="Host keys"
      aside={total !== undefined && <Badge>{count(total)}</Badge>}
      description="The keys by which hosts are known, pinned when they were first seen. No password is sent to a host that shows another."
      actions={
        <Button variant="default" renderRoot={(props) => <Link to="/credentials" {...props} />}>
          Credentials
        </Button>
      }
    >
      <Panel isFlush>
        <DataTable
          label="Host keys"
          columns={[...columns, useActions(setAccepting)]}
          rows={data?.hostKeys.items}
          keyOf={({ id }) => id}
          error={error}
          onRetry={() => void refetch()}
          empty={
            <Empty icon={Fingerprint} title="No host is known yet">
              The first scan that logs in to a host pins its key here.
            </Empty>
          }
        />
        {total !== undefined && <Pager total={total} offset={offset} size={SIZE} onOffset={setOffset} />}
      </Panel>
      <AcceptDialog hostKey={accepting} onClose={() => setAccepting(undefined)} />
    </Page>
  )
}

const columns: readonly Column<HostKeyRow>[] = [
  { title: 'Host', cell: ({ address, port }) => <TwoLines below={`port ${port}`}>{address}</TwoLines> },
  {
    title: 'Key',
    cell: ({ algorithm, fingerprint }) => (
      <TwoLines below={<code>{fingerprint}</code>}>
        {algorithm === 'tls' ? 'TLS certificate' : algorithm}
      </TwoLines>
    ),
  },
  {
    title: 'State',
    cell: ({ offeredAt }) =>
      offeredAt === null ? (
        <Badge tone="good" sign="✓">
          Known
        </Badge>
      ) : (
        <TwoLines below={<Time at={offeredAt} />}>
          <Badge tone="bad" sign="!">
            Changed
          </Badge>
        </TwoLines>
      ),
  },
  { title: 'First seen', isMinor: true, cell: ({ firstSeenAt }) => <Time at={firstSeenAt} /> },
  { title: 'Last seen', isMinor: true, cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
]

function useActions(onAccept: (hostKey: HostKeyRow) => void): Column<HostKeyRow> {
  const may = useMay()
  const forget = useChange(ForgetHostKeyDocument, { done: 'Host key forgotten' })
  return {
    title: '',
    align: 'right',
    cell: (hostKey) =>
      may('credentials:write') && (
        <RowMenu
          label={`Actions for ${hostKey.address} port ${hostKey.port}`}
          actions={[
            {
              title: 'Accept the new key…',
              icon: Check,
              isDisabled: hostKey.offeredFingerprint === null,
              onChoose: () => onAccept(hostKey),
            },
            {
              title: 'Forget',
              icon: Trash2,
              isDestructive: true,
              onChoose: () => forget.mutate({ id: hostKey.id }),
            },
          ]}
        />
      ),
  }
}

interface AcceptDialogProps {
  readonly hostKey: HostKeyRow | undefined
  readonly onClose: () => void
}

function AcceptDialog({ hostKey, onClose }: AcceptDialogProps) {
  const accept = useChange(AcceptHostKeyDocument, { done: 'New key accepted', onDone: onClose })
  return (
    <ConfirmDialog
      isOpen={hostKey !== undefined}
      title={`Accept the new key of ${hostKey?.address ?? ''}?`}
      action="Accept new key"
      isDestructive
      isBusy={accept.isPending}
      onConfirm={() => hostKey && accept.mutate({ id: hostKey.id })}
      onClose={onClose}
    >
      <p>
        Known is <code>{hostKey?.fingerprint}</code>, shown was <code>{hostKey?.offeredFingerprint}</code> (
        {hostKey?.offeredAlgorithm}).
      </p>
      <p>
        Accept it if the host was set up anew. If nobody knows why it changed, another machine may answer in
        its place, and it would be sent the passwords of its network.
      </p>
    </ConfirmDialog>
  )
}
