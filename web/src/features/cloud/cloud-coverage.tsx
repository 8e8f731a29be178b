import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ListChecks } from 'lucide-react'
import { useState } from 'react'
import { CloudCoverageDocument, type CloudConnectionRow, type CloudScopeRow } from '#api/generated/cloud.ts'
import { q } from '#api/query-client.ts'
import { count } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Panel } from '#ui/panel.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { Pagination } from '#ui/table/pagination.tsx'
import { Time } from '#ui/time.tsx'
import { typeName } from './cloud-search-params.ts'

const SIZE = 50
const REFRESH_MS = 2_000

/** What was read of each account, region and type; what did not go well first. */
export function CloudCoverage({ connection }: { readonly connection: CloudConnectionRow }) {
  const [offset, setOffset] = useState(0)
  const { data, error, refetch } = useQuery({
    ...q(CloudCoverageDocument, { connectionId: connection.id, first: SIZE, offset }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      isAhead(connection, state.data?.cloudCoverage.items) ? REFRESH_MS : false,
  })
  const total = data?.cloudCoverage.total
  return (
    <Panel title={`Coverage of ${connection.name}`} isFlush>
      <DataTable
        label={`Coverage of ${connection.name}`}
        columns={columns}
        rows={data?.cloudCoverage.items}
        keyOf={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <EmptyState icon={ListChecks} title="Nothing is known yet">
            {connection.problem || 'A worker lists the accounts first.'}
          </EmptyState>
        }
      />
      {total !== undefined && <Pagination total={total} offset={offset} size={SIZE} onOffset={setOffset} />}
    </Panel>
  )
}

/** Whether the list will change soon; it may be older than what is known of the connection. */
function isAhead(connection: CloudConnectionRow, scopes: readonly CloudScopeRow[] = []): boolean {
  if (!connection.isEnabled || connection.problem !== '') return false
  if (connection.plannedAt === null || connection.pendingScopes > 0 || scopes.length === 0) return true
  return scopes.some(({ status, retiredAt }) => retiredAt === null && /^(pending|running)$/.test(status))
}

const columns: readonly Column<CloudScopeRow>[] = [
  {
    title: 'Account',
    cell: ({ account, accountName }) => (
      <TwoLines below={accountName === '' ? '' : account}>{accountName || account}</TwoLines>
    ),
  },
  {
    title: 'Type',
    cell: ({ type, region }) => (
      <TwoLines below={region === 'global' ? 'all regions' : region}>{typeName(type)}</TwoLines>
    ),
  },
  { title: 'State', cell: (scope) => <State scope={scope} /> },
  { title: 'Resources', align: 'right', isMinor: true, cell: ({ resources }) => count(resources) },
  {
    title: 'Last read to its end',
    isMinor: true,
    cell: ({ completedAt }) =>
      completedAt === null ? (
        <Badge tone="bad" sign="!">
          Never
        </Badge>
      ) : (
        <Time at={completedAt} />
      ),
  },
]

function State({ scope: { status, reason, retiredAt } }: { readonly scope: CloudScopeRow }) {
  if (retiredAt !== null)
    return (
      <TwoLines below="no longer listed by the provider; its resources are gone after 7 days">
        <Badge sign="○">Retired</Badge>
      </TwoLines>
    )
  switch (status) {
    case 'complete':
      return (
        <Badge tone="good" sign="✓">
          Complete
        </Badge>
      )
    case 'partial':
      return (
        <TwoLines below={reason}>
          <Badge tone="warn" sign="◐">
            Partial
          </Badge>
        </TwoLines>
      )
    case 'failed':
      return (
        <TwoLines below={reason}>
          <Badge tone="bad" sign="!">
            Failed
          </Badge>
        </TwoLines>
      )
    case 'pending':
    case 'running':
      return <Badge sign="…">{status === 'running' ? 'Being read' : 'Waiting'}</Badge>
  }
}
