import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Archive, Plus, ServerOff, X } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { usePermission } from '#api/use-permission.ts'
import { CsvLink } from '#features/lists/csv-link.tsx'
import { ListFrame } from '#features/lists/list-frame.tsx'
import { isNarrowed } from '#features/lists/list-search.ts'
import { NothingFits } from '#features/lists/nothing-fits.tsx'
import { GettingStarted } from '#features/shell/getting-started.tsx'
import { useFormOnArrival } from '#features/shell/palette/form-on-arrival.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { useSelection } from '#ui/table/use-selection.ts'
import { usePreview } from '#ui/table/use-address-value.ts'
import { NewAssetForm } from '../editing/new-asset-form.tsx'
import type { AssetColumn } from './asset-columns.tsx'
import { AssetPreviewPanel } from './asset-preview-panel.tsx'
import { ARCHIVED, csvUrl, readAssetSearch, type AssetSearch } from './asset-search-params.ts'
import { BulkChanges } from './bulk-changes.tsx'
import { useAssetFacets } from './use-asset-facets.ts'
import { useAssetLayout } from './use-asset-layout.ts'
import { useAssetRows } from './use-asset-rows.ts'

const DemoButton = lazy(async () => ({
  default: (await import('#features/tenancy/organisations/demo-button.tsx')).DemoButton,
}))

const VIEWS = [
  { name: 'All assets', search: {} },
  { name: 'Most is known', search: { sort: 'known', direction: 'desc' } },
  { name: 'Archived', search: { where: ARCHIVED } },
] as const

export function AssetsPage() {
  const search = useSearch({ from: '/app/assets', select: readAssetSearch, structuralSharing: true })
  const { layout, choose } = useAssetLayout(search)
  const rows = useAssetRows(search, layout.columns)
  const { total = 0 } = rows
  // a source cannot be named by a condition
  const selection = useSelection({ key: search, total, mayAll: search.source === undefined })
  const preview = usePreview()
  return (
    <ListFrame
      subject="asset"
      title="Assets"
      label="Assets"
      loading="Loading assets"
      actions={
        <>
          <ExportButton search={search} columns={layout.columns} />
          <NewAsset />
        </>
      }
      box={{
        label: 'Search assets',
        placeholder: 'Name, address, MAC, tag … or os, seen, owner, any finding …',
        hint: 'Words search anywhere. A field such as os, type, owner or seen makes it a condition.',
      }}
      filters={<OfOneSource search={search} />}
      usual={{ sort: 'lastSeen', direction: 'desc' }}
      facets={useAssetFacets()}
      views={VIEWS}
      read={readAssetSearch}
      nameOf={({ name }) => name}
      pathOf={({ id }) => `/assets/${id}`}
      nothingYet={<NothingYet />}
      nothingFits={search.where === ARCHIVED && !search.search ? <NothingArchived /> : <NothingFound />}
      bars={<BulkChanges search={search} selection={selection} />}
      previewPanel={
        preview.opened !== undefined && <AssetPreviewPanel assetId={preview.opened} onClose={preview.close} />
      }
      onChooseColumns={choose}
      {...{ search, rows, layout, selection, preview }}
    />
  )
}

function OfOneSource({ search }: { readonly search: AssetSearch }) {
  const navigate = useNavigate()
  if (search.source === undefined) return null
  return (
    <Button
      variant="light"
      rightSection={<X size={13} aria-hidden />}
      onClick={() => void navigate({ to: '/assets', search: { ...search, source: undefined } })}
    >
      Of one source
    </Button>
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
  readonly columns: readonly AssetColumn[]
}

function ExportButton({ search, columns }: ExportButtonProps) {
  const fields = columns.flatMap((column) => column.fields)
  return (
    <CsvLink
      href={csvUrl(search, fields)}
      title={
        isNarrowed(search)
          ? 'The assets listed here with the columns shown, at most 10,000'
          : 'All assets with the columns shown, at most 10,000'
      }
    />
  )
}

const NothingArchived = () => (
  <EmptyState icon={Archive} title="Nothing is archived">
    Select assets in the list and choose Archive. They leave lists, counts and risk, and come back when a
    source sees them again.
  </EmptyState>
)

const NothingFound = () => (
  <NothingFits title="No asset fits these filters">
    Words are looked for anywhere in name, address, MAC, serial, system, model, tags and id; a network such as
    10.0.0.0/8 finds what has an address in it. A condition leaves out assets of which the answer is not
    known.
  </NothingFits>
)

function NothingYet() {
  return (
    <EmptyState
      icon={ServerOff}
      title="No assets yet"
      action={
        <GettingStarted>
          <Suspense>
            <DemoButton />
          </Suspense>
        </GettingStarted>
      }
    >
      Sweep a network or import a list, and what is found appears here by itself.
    </EmptyState>
  )
}
