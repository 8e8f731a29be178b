import { Button } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Download, Search, ServerOff } from 'lucide-react'
import { inTenant } from '#api/tenant-url.ts'
import { FirstSteps } from '#features/shell/getting-started.tsx'
import { count } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { Empty } from '#ui/empty-state.tsx'
import { Page } from '#ui/page.tsx'
import { Problem } from '#ui/load-error.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { AssetFilters } from './asset-filters.tsx'
import { AssetTable } from './asset-table.tsx'
import styles from './assets-page.module.css'
import { BulkBar } from './bulk-actions.tsx'
import { SavedViews } from './saved-views.tsx'
import { csvAddress, isFiltered, type AssetSearch } from './asset-search-params.ts'
import { TableOptions } from './table-options.tsx'
import { useAssetRows } from './use-asset-rows.ts'
import { useListLook } from './use-table-options.ts'
import { useSelection } from './use-row-selection.ts'

export function AssetsPage() {
  const search = useSearch({ from: '/app/assets' })
  const rows = useAssetRows(search)
  const look = useListLook()
  const selection = useSelection(search)
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
            csvAddress(
              search,
              look.columns.flatMap(({ fields }) => fields),
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
        <TableOptions look={look} />
      </div>
      <div className={styles['list']}>
        <Listed search={search} rows={rows} look={look} selection={selection} />
        {selection.ids.size > 0 && <BulkBar selection={selection} />}
      </div>
    </Page>
  )
}

interface ListedProps {
  readonly search: AssetSearch
  readonly rows: ReturnType<typeof useAssetRows>
  readonly look: ReturnType<typeof useListLook>
  readonly selection: ReturnType<typeof useSelection>
}

function Listed({ search, rows, look, selection }: ListedProps) {
  if (rows.error) return <Problem error={rows.error} onRetry={rows.retry} />
  if (rows.total === undefined) return <SkeletonBlock label="Loading assets" />
  if (rows.total === 0) return isFiltered(search) ? <NothingFound /> : <NothingYet />
  return <AssetTable search={search} rows={rows} total={rows.total} look={look} selection={selection} />
}

function NothingFound() {
  const navigate = useNavigate()
  return (
    <Empty
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
    </Empty>
  )
}

function NothingYet() {
  return (
    <Empty icon={ServerOff} title="No assets yet" action={<FirstSteps />}>
      Sweep a network or import a list, and what is found appears here by itself.
    </Empty>
  )
}
