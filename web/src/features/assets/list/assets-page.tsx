import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Archive, Download, Plus, Search, ServerOff } from 'lucide-react'
import { usePermission } from '#api/use-permission.ts'
import { inTenant } from '#api/tenant-url.ts'
import { UnreadableCondition } from '#features/conditions/unreadable-condition.tsx'
import { faultOf } from '#features/conditions/use-condition-count.ts'
import { GettingStarted } from '#features/shell/getting-started.tsx'
import { useFormOnArrival } from '#features/shell/palette/form-on-arrival.ts'
import { count } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Page } from '#ui/page.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { NewAssetForm } from '../editing/new-asset-form.tsx'
import { AssetFilters } from './asset-filters.tsx'
import { AssetTable } from './asset-table.tsx'
import styles from './assets-page.module.css'
import { AssetFacets } from './asset-facets.tsx'
import { BulkChanges } from './bulk-changes.tsx'
import { SavedViews } from './saved-views.tsx'
import { ARCHIVED, csvUrl, isFiltered, readAssetSearch, type AssetSearch } from './asset-search-params.ts'
import { TableOptions } from './table-options.tsx'
import { useAssetRows } from './use-asset-rows.ts'
import { useTableOptions } from './use-table-options.ts'
import { FacetsButton, useFacetsPanel } from '#features/conditions/facets-panel.tsx'
import { useSelection, type RowSelection } from '#ui/table/use-selection.ts'
import { usePreview, type Preview } from '#ui/table/use-address-value.ts'
import { AssetPreviewPanel } from './asset-preview-panel.tsx'

export function AssetsPage() {
  const search = useSearch({ from: '/app/assets', select: readAssetSearch, structuralSharing: true })
  const tableOptions = useTableOptions(search)
  const rows = useAssetRows(search, tableOptions.columns)
  const facets = useFacetsPanel('asset')
  const { total = 0 } = rows
  // a source cannot be named by a condition
  const selection = useSelection({ key: search, total, mayAll: search.source === undefined })
  const preview = usePreview()
  return (
    <Page
      title="Assets"
      isFilling
      aside={rows.total !== undefined && <Badge>{count(rows.total)}</Badge>}
      actions={
        <>
          <ExportButton search={search} tableOptions={tableOptions} />
          <NewAsset />
        </>
      }
    >
      <SavedViews search={search} columns={tableOptions.text} />
      <div className={styles['tools']}>
        <AssetFilters search={search} />
        <div className={styles['options']}>
          <FacetsButton panel={facets} />
          <TableOptions tableOptions={tableOptions} />
        </div>
      </div>
      <div className={styles['body']}>
        <AssetFacets search={search} panel={facets} />
        <div className={styles['list']}>
          <Listed {...{ search, rows, tableOptions, selection, preview }} />
          <BulkChanges search={search} selection={selection} />
        </div>
      </div>
      {preview.opened !== undefined && <AssetPreviewPanel assetId={preview.opened} onClose={preview.close} />}
    </Page>
  )
}

function NewAsset() {
  const may = usePermission()
  const [isOpen, form] = useDisclosure(false)
  useFormOnArrival(form.open)
  if (!may('assets:write')) return null
  return (
    <>
      <Button leftSection={<Plus size={14} aria-hidden />} onClick={form.open}>
        New asset
      </Button>
      {isOpen && <NewAssetForm onClose={form.close} />}
    </>
  )
}

interface ExportButtonProps {
  readonly search: AssetSearch
  readonly tableOptions: ReturnType<typeof useTableOptions>
}

function ExportButton({ search, tableOptions }: ExportButtonProps) {
  const fields = tableOptions.columns.flatMap((column) => column.fields)
  return (
    <Button
      variant="default"
      component="a"
      href={inTenant(csvUrl(search, fields))}
      leftSection={<Download size={14} aria-hidden />}
      title={
        isFiltered(search)
          ? 'The assets listed here with the columns shown, at most 10,000'
          : 'All assets with the columns shown, at most 10,000'
      }
    >
      Export CSV
    </Button>
  )
}

interface ListedProps {
  readonly search: AssetSearch
  readonly rows: ReturnType<typeof useAssetRows>
  readonly tableOptions: ReturnType<typeof useTableOptions>
  readonly selection: RowSelection
  readonly preview: Preview
}

function Listed({ search, rows, tableOptions, selection, preview }: ListedProps) {
  if (faultOf(rows.error)) return <UnreadableCondition error={rows.error} />
  if (rows.error) return <LoadError error={rows.error} onRetry={rows.retry} />
  if (rows.total === undefined) return <SkeletonBlock label="Loading assets" />
  if (rows.total === 0) return <Nothing search={search} />
  return <AssetTable {...{ search, rows, tableOptions, selection, preview }} total={rows.total} />
}

function Nothing({ search }: { readonly search: AssetSearch }) {
  if (search.where === ARCHIVED && !search.search) return <NothingArchived />
  return isFiltered(search) ? <NothingFound /> : <NothingYet />
}

const NothingArchived = () => (
  <EmptyState icon={Archive} title="Nothing is archived">
    Select assets in the list and choose Archive. They leave lists, counts and risk, and come back when a
    source sees them again.
  </EmptyState>
)

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
      Words are looked for anywhere in name, address, MAC, serial, system, model, tags and id; a network such
      as 10.0.0.0/8 finds what has an address in it. A condition leaves out assets of which the answer is not
      known.
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
