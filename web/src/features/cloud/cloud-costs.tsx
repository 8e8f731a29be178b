import { useQuery } from '@tanstack/react-query'
import { Coins } from 'lucide-react'
import {
  CloudCostsDocument,
  type CloudConnectionRow,
  type CloudCostAccountRow,
  type CloudMonthCostRow,
} from '#api/generated/cloud.ts'
import { q } from '#api/query-client.ts'
import { Badge } from '#ui/badge.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Panel } from '#ui/panel.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { money, monthName } from './cost-words.ts'

/** What the accounts of a connection cost, month by month, and which of them did not tell. */
export function CloudCosts({ connection }: { readonly connection: CloudConnectionRow }) {
  const { data, error, refetch } = useQuery(q(CloudCostsDocument, { connectionId: connection.id }))
  const failed = data?.cloudCostAccounts.filter(({ status }) => status !== 'complete') ?? []
  return (
    <Panel title={`Costs of ${connection.name}`} isFlush>
      {failed.length > 0 && (
        <DataTable
          label="Accounts whose costs were not told"
          columns={failureColumns}
          rows={failed}
          keyOf={({ account }) => account}
          empty={null}
        />
      )}
      <DataTable
        label={`Costs of ${connection.name}`}
        columns={columns}
        rows={data?.cloudCosts}
        keyOf={({ account, month, currency }) => `${month} ${account} ${currency}`}
        error={error}
        onRetry={() => void refetch()}
        empty={<NoCosts connection={connection} />}
      />
    </Panel>
  )
}

const accountCell = ({ account, accountName }: Pick<CloudMonthCostRow, 'account' | 'accountName'>) => (
  <TwoLines below={accountName === '' ? '' : account}>{accountName || account}</TwoLines>
)

const failureColumns: readonly Column<CloudCostAccountRow>[] = [
  { title: 'Account', cell: accountCell },
  {
    title: 'Costs',
    cell: ({ status, reason }) => (
      <TwoLines below={reason}>
        <Badge tone={status === 'partial' ? 'warn' : 'bad'} sign={status === 'partial' ? '◐' : '!'}>
          {status === 'partial' ? 'Partial' : 'Not told'}
        </Badge>
      </TwoLines>
    ),
  },
]

const columns: readonly Column<CloudMonthCostRow>[] = [
  {
    title: 'Month',
    cell: ({ month, isWhole, knownFrom, knownUntil }) => (
      <TwoLines below={isWhole ? '' : `${knownFrom.slice(8)} to ${knownUntil.slice(8)}`}>
        {monthName(month)}
      </TwoLines>
    ),
  },
  { title: 'Account', cell: accountCell },
  { title: 'Amount', align: 'right', cell: money },
  {
    title: 'Of resources',
    align: 'right',
    isMinor: true,
    cell: ({ ofResources, currency }) => money({ amount: ofResources, currency }),
  },
]

function NoCosts({ connection: { readsCosts } }: { readonly connection: CloudConnectionRow }) {
  return readsCosts ? (
    <EmptyState icon={Coins} title="No costs are known yet">
      They are read once a day, account by account.
    </EmptyState>
  ) : (
    <EmptyState icon={Coins} title="Costs are not read">
      Choose “Costs…” in the menu of the connection. Some providers charge for telling them.
    </EmptyState>
  )
}
