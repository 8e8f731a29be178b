import { Button } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Download, Search, ServerOff } from 'lucide-react'
import { inTenant } from '#api/tenant-url.ts'
import { GettingStarted } from '#features/shell/getting-started.tsx'
import { count } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Page } from '#ui/page.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { AssetFilters } from './asset-filters.tsx'
import { AssetTable } from './asset-table.tsx'
import styles from './assets-page.module.css'
import { BulkActions } from './bulk-actions.tsx'
import { SavedViews } from './saved-views.tsx'
import { csvUrl, isFiltered, type AssetSearch } from './asset-search-params.ts'
import { TableOptions } from './table-options.tsx'
import { useAssetRows } from './use-asset-rows.ts'
import { useTableOptions } from './use-table-options.ts'
import { useRowSelection } from './use-row-selection.ts'

export function AssetsPage() {
  const search = useSearch({ from: '/app/assets' })
  const rows = useAssetRows(search)
  const tableOptions = useTableOptions()
  const selection = useRowSelection(search)
  return (
    <Page
      title="Assets"
      isFilling
      aside={rows.total !== undefined && <Badge>{count(rows.total)}</Badge>}
      actions={
        <Button
          variant="default"
          component="a"
          href={inTenant(
            csvUrl(
              search,
              tableOptions.columns.flatMap(({ fields }) => fields),
            ),
          )}
          leftSection={<Download size={14} aria-hidden />}
          title={
            isFiltered(search)
              ? 'The assets listed here with the columns shown, at most 10,000'
              : 'All assets with the columns shown, at most 10,000'
          }
        >
          Export CSV
        </Button>
      }
    >
      <SavedViews search={search} />
      <div className={styles['tools']}>
        <AssetFilters search={search} />
        <TableOptions tableOptions={tableOptions} />
      </div>
      <div className={styles['list']}>
        <Listed search={search} rows={rows} tableOptions={tableOptions} selection={selection} />
        {selection.ids.size > 0 && <BulkActions selection={selection} />}
      </div>
    </Page>
  )
}

interface ListedProps {
  readonly search: AssetSearch
  readonly rows: ReturnType<typeof useAssetRows>
  readonly tableOptions: ReturnType<typeof useTableOptions>
  readonly selection: ReturnType<typeof useRowSelection>
}

function Listed({ search, rows, tableOptions, selection }: ListedProps) {
  if (rows.error) return <LoadError error={rows.error} onRetry={rows.retry} />
  if (rows.total === undefined) return <SkeletonBlock label="Loading assets" />
  if (rows.total === 0) return isFiltered(search) ? <NothingFound /> : <NothingYet />
  return (
    <AssetTable
      search={search}
      rows={rows}
      total={rows.total}
      tableOptions={tableOptions}
      selection={selection}
    />
  )
}

function NothingFound() {
  const navigate = useNavigate()
  return (
    <EmptyState
      icon={Search}
      title="No asset fits these filters"
      action={
        <Button variant="default" onClick={() => void navigate({ to: '/assets', search: {} })}>
          Clear the filters
        </Button>
      }
    >
      The search looks anywhere in name, address, MAC, serial, system, model, tags and id. A network such as
      10.0.0.0/8 finds what has an address in it.
    </EmptyState>
  )
}

function NothingYet() {
  return (
    <EmptyState icon={ServerOff} title="No assets yet" action={<GettingStarted />}>
      Sweep a network or import a list, and what is found appears here by itself.
    </EmptyState>
  )
}
