import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Check, Fingerprint, Plus, Radar, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { HostKeysDocument, RefuseHostKeyDocument, type HostKeyRow } from '#api/generated/credentials.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { count } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Page } from '#ui/page.tsx'
import { Pagination } from '#ui/table/pagination.tsx'
import { Panel } from '#ui/panel.tsx'
import { RowMenu } from '#ui/table/row-menu.tsx'
import { Time } from '#ui/time.tsx'
import { useOffset } from '#ui/table/use-address-value.ts'
import { AcceptHostKeyDialog, ApproveHostKeyDialog, ForgetHostKeyDialog } from './host-key-dialogs.tsx'
import { KnownHostsForm } from './known-hosts-form.tsx'

const SIZE = 50

export function HostKeysPage() {
  const [offset, setOffset] = useOffset('Host keys')
  const { data, error, refetch } = useQuery({
    ...q(HostKeysDocument, { first: SIZE, offset }),
    placeholderData: keepPreviousData,
  })
  const [answering, setAnswering] = useState<HostKeyRow>()
  const [forgetting, setForgetting] = useState<HostKeyRow>()
  const [isAdding, setAdding] = useState(false)
  const total = data?.hostKeys.total
  return (
    <Page
      title="Host keys"
      aside={total !== undefined && <Badge>{count(total)}</Badge>}
      description="The keys by which scans know hosts: stored at the first login, imported, or approved by a person. A host that shows another key is sent no password."
      actions={<Actions onAdd={() => setAdding(true)} />}
    >
      <Panel isFlush>
        <DataTable
          label="Host keys"
          columns={[...columns, useActions({ onAnswer: setAnswering, onForget: setForgetting })]}
          rows={data?.hostKeys.items}
          keyOf={({ id }) => id}
          error={error}
          onRetry={() => void refetch()}
          empty={
            <EmptyState icon={Fingerprint} title="No host is known yet">
              The first scan that logs in to a host stores its key. To make hosts known before, import a
              known_hosts file.
            </EmptyState>
          }
        />
        {total !== undefined && <Pagination total={total} offset={offset} size={SIZE} onOffset={setOffset} />}
      </Panel>
      <AcceptHostKeyDialog
        hostKey={answering?.trust === 'known' ? answering : undefined}
        onClose={() => setAnswering(undefined)}
      />
      <ApproveHostKeyDialog
        hostKey={answering && answering.trust !== 'known' ? answering : undefined}
        onClose={() => setAnswering(undefined)}
      />
      <ForgetHostKeyDialog hostKey={forgetting} onClose={() => setForgetting(undefined)} />
      <KnownHostsForm isOpen={isAdding} onClose={() => setAdding(false)} />
    </Page>
  )
}

function Actions({ onAdd }: { readonly onAdd: () => void }) {
  const may = usePermission()
  return (
    <>
      <Button variant="default" renderRoot={(props) => <Link to="/credentials" {...props} />}>
        Credentials
      </Button>
      <Button
        leftSection={<Plus size={14} aria-hidden />}
        disabled={!may('credentials:write')}
        title={may('credentials:write') ? undefined : 'Your role does not change host keys'}
        onClick={onAdd}
      >
        Add known hosts
      </Button>
    </>
  )
}

const columns: readonly Column<HostKeyRow>[] = [
  { title: 'Host', cell: ({ address, port }) => <TwoLines below={`port ${port}`}>{address}</TwoLines> },
  {
    title: 'Key',
    isMinor: true, // the dialogs show the fingerprint too
    cell: ({ algorithm, fingerprint }) => (
      <TwoLines below={<code>{fingerprint}</code>}>
        {algorithm === 'tls' ? 'TLS certificate' : algorithm}
      </TwoLines>
    ),
  },
  {
    title: 'State',
    cell: (hostKey) => <State hostKey={hostKey} />,
  },
  { title: 'First seen', isMinor: true, cell: ({ firstSeenAt }) => <Time at={firstSeenAt} /> },
  { title: 'Last seen', isMinor: true, cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
]

function State({ hostKey: { trust, offeredAt } }: { readonly hostKey: HostKeyRow }) {
  if (trust === 'waiting')
    return (
      <TwoLines below="No password was sent">
        <Badge tone="warn" sign="…">
          Waits for approval
        </Badge>
      </TwoLines>
    )
  if (trust === 'refused')
    return (
      <Badge tone="bad" sign="×">
        Refused
      </Badge>
    )
  if (offeredAt === null)
    return (
      <Badge tone="good" sign="✓">
        Known
      </Badge>
    )
  return (
    <TwoLines below={<Time at={offeredAt} />}>
      <Badge tone="bad" sign="!">
        Changed
      </Badge>
    </TwoLines>
  )
}

interface Chosen {
  readonly onAnswer: (hostKey: HostKeyRow) => void
  readonly onForget: (hostKey: HostKeyRow) => void
}

function useActions({ onAnswer, onForget }: Chosen): Column<HostKeyRow> {
  const may = usePermission()
  const navigate = useNavigate()
  const refuse = useChange(RefuseHostKeyDocument, { done: 'Host key refused' })
  return {
    title: '',
    align: 'right',
    cell: (hostKey) =>
      may('credentials:write') && (
        <RowMenu
          label={`Actions for ${hostKey.address} port ${hostKey.port}`}
          actions={[
            {
              title: hostKey.trust === 'known' ? 'Accept the new key…' : 'Approve…',
              icon: Check,
              isDisabled: hostKey.trust === 'known' && hostKey.offeredFingerprint === null,
              onChoose: () => onAnswer(hostKey),
            },
            {
              title: 'Refuse',
              icon: X,
              isDisabled: hostKey.trust !== 'waiting',
              onChoose: () => refuse.mutate({ id: hostKey.id }),
            },
            {
              title: 'Show the scan',
              icon: Radar,
              isDisabled: hostKey.scanId === null,
              onChoose: () =>
                void navigate({ to: '/scans/$scanId', params: { scanId: hostKey.scanId ?? '' } }),
            },
            {
              title: 'Forget…',
              icon: Trash2,
              isDestructive: true,
              onChoose: () => onForget(hostKey),
            },
          ]}
        />
      ),
  }
}
