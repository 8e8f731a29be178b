import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { FindingsDocument, type FindingRow } from '#api/generated/vulnerabilities.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { compareTerm } from '#features/conditions/condition-terms.ts'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { Pagination } from '#ui/table/pagination.tsx'
import { Panel } from '#ui/panel.tsx'
import { useOffset, usePreview } from '#ui/table/use-address-value.ts'
import { useSelection } from '#ui/table/use-selection.ts'
import { findingColumns, findingName } from './finding-columns.tsx'
import { FindingDecisions } from './finding-decisions.tsx'
import { FindingPreview } from './finding-preview.tsx'
import { listedWhere, variablesOf, type FindingSearch } from './finding-search-params.ts'
import { NoFindingsOfAsset } from './no-findings-of-asset.tsx'

const SIZE = 50

interface FindingsOfAssetProps {
  readonly search: FindingSearch
  readonly asset: { readonly id: string; readonly isArchived: boolean }
  /** The head of a column was clicked. */
  readonly onOrder: (order: string) => void
}

/** One page of the open findings of an asset, also when it is archived, and the finding that was opened in it. */
export function FindingsOfAsset({ search, asset, onOrder }: FindingsOfAssetProps) {
  const [offset, setOffset] = useOffset('Findings')
  const preview = usePreview()
  const may = usePermission()
  const { data, error, refetch } = useQuery({
    ...q(FindingsDocument, { ...variablesOf(search, asset.id), first: SIZE, offset }),
    placeholderData: keepPreviousData,
  })
  const total = data?.findings.total
  const selection = useSelection({ key: search, total: total ?? 0, mayAll: true })
  const isDecided = may('overrides:write') && !asset.isArchived
  return (
    <>
      <Panel isFlush>
        <DataTable
          label="Findings"
          name="findings"
          columns={columnsFor(search.sort ?? 'score', onOrder)}
          rows={data?.findings.items}
          total={total}
          keyOf={({ id }) => id}
          preview={preview}
          selecting={isDecided ? { selection, nameOf: findingName } : undefined}
          error={error}
          onRetry={() => void refetch()}
          empty={<NoFindingsOfAsset assetId={asset.id} />}
        />
        {total !== undefined && <Pagination total={total} offset={offset} size={SIZE} onOffset={setOffset} />}
      </Panel>
      {isDecided && (
        <FindingDecisions
          selection={selection}
          where={listedWhere({ where: compareTerm('asset.id', [asset.id]) })}
        />
      )}
      <FindingPreview preview={preview} />
    </>
  )
}

const SHOWN = ['severity', 'name', 'software', 'fix', 'threat', 'match', 'status', 'found']
const MINOR = ['match', 'found']
/** The greatest of these first, which is what one asks about an asset. */
const SORTED = ['severity', 'threat', 'found']

const columnsFor = (current: string, onOrder: (order: string) => void): readonly Column<FindingRow>[] =>
  SHOWN.flatMap((key) => findingColumns.find((it) => it.key === key) ?? []).map(
    ({ key, title, cell, sort }) => ({
      title,
      cell,
      isMinor: MINOR.includes(key),
      sort:
        sort !== undefined && SORTED.includes(key)
          ? { direction: sort === current ? ('desc' as const) : undefined, onSort: () => onOrder(sort) }
          : undefined,
    }),
  )
