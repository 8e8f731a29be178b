import { Button } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { Handshake, Plus, Power, PowerOff } from 'lucide-react'
import { useState } from 'react'
import { send } from '#api/client.ts'
import {
  PartnersDocument,
  UpdatePartnerDocument,
  type PartnerRow,
  type PartnersData,
} from '#api/generated/partners.ts'
import { usePermission } from '#api/use-permission.ts'
import { RowByRowBar, type RowVerb } from '#features/bulk-changes/row-by-row-bar.tsx'
import type { FacetField } from '#features/conditions/facets-panel.tsx'
import type { ListColumn } from '#features/lists/list-column.ts'
import { ListFrame } from '#features/lists/list-frame.tsx'
import { readListSearch } from '#features/lists/list-search.ts'
import { useColumnLayout } from '#features/lists/use-column-layout.ts'
import { useListRows } from '#features/lists/use-list-rows.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { usePreview } from '#ui/table/use-address-value.ts'
import { useSelection } from '#ui/table/use-selection.ts'
import { partnerColumns } from './partner-columns.tsx'
import { PartnerPreview } from './partner-preview.tsx'
import { PartnerForm } from './partner-form.tsx'

const source = { operation: PartnersDocument, rowsIn: ({ partners }: PartnersData) => partners }
const FACETS: readonly FacetField[] = [{ field: 'api', label: 'API', isWord: true }]
const VIEWS = [
  { name: 'All partners', search: {} },
  { name: 'API turned off', search: { where: 'api = no' } },
  { name: 'Without a key', search: { where: 'keys = 0' } },
  { name: 'Unused for 30 days', search: { where: 'keys > 0 and (not has last_used or last_used < -30d)' } },
] as const

const BOX = {
  label: 'Search partners',
  placeholder: 'Name or contact … or api, quota, keys, last_used …',
  hint: 'Words search names, short names and contacts. A field such as api or keys makes it a condition.',
}

export function PartnersPage() {
  const search = useSearch({ from: '/app/partners', select: readListSearch, structuralSharing: true })
  const [isCreating, setCreating] = useState(false)
  const create = () => setCreating(true)
  const may = usePermission()
  const preview = usePreview()
  const layout = useColumnLayout<PartnerRow, ListColumn<PartnerRow>>({
    subject: 'partner',
    all: partnerColumns,
    search,
  })
  const rows = useListRows(search, source)
  const selection = useSelection({ key: search, total: rows.total ?? 0 })
  const selected = rows.loaded.filter(({ id }) => selection.has(id))
  return (
    <>
      <ListFrame
        subject="partner"
        file="partners.csv"
        title="Partners"
        label="Partners"
        loading="Loading partners"
        description="Companies that reach a part of this organisation through the partner API, each with its own keys, limits and webhooks."
        actions={<NewPartnerButton onClick={create} />}
        box={BOX}
        usual={{ sort: 'created', direction: 'desc' }}
        facets={FACETS}
        views={VIEWS}
        read={readListSearch}
        nameOf={({ name }) => name}
        pathOf={({ id }) => `/partners/${id}`}
        nothingYet={<NoPartners onCreate={create} />}
        bars={<RowByRowBar noun="partner" selection={selection} rows={selected} verbs={verbs} />}
        selection={may('partners:write') ? selection : undefined}
        previewPanel={
          preview.opened !== undefined && <PartnerPreview id={preview.opened} onClose={preview.close} />
        }
        {...{ search, rows, layout, preview }}
      />
      {isCreating && <PartnerForm partner={undefined} onClose={() => setCreating(false)} />}
    </>
  )
}

const setApi =
  (apiEnabled: boolean) =>
  ({ id }: PartnerRow) =>
    send(UpdatePartnerDocument, { id, apiEnabled })

const verbs: readonly RowVerb<PartnerRow>[] = [
  {
    title: 'Turn the API on',
    icon: Power,
    fits: ({ apiEnabled }) => !apiEnabled,
    act: setApi(true),
    undo: setApi(false),
  },
  {
    title: 'Turn the API off',
    icon: PowerOff,
    fits: ({ apiEnabled }) => apiEnabled,
    act: setApi(false),
    undo: setApi(true),
  },
]

interface NewPartnerButtonProps {
  /** Beside the same button at the head of the page. */
  readonly isSecond?: boolean
  readonly onClick: () => void
}

function NewPartnerButton({ isSecond = false, onClick }: NewPartnerButtonProps) {
  const may = usePermission()
  return (
    <Button
      variant={isSecond ? 'default' : 'filled'}
      leftSection={<Plus size={14} aria-hidden />}
      disabled={!may('partners:write')}
      title={may('partners:write') ? undefined : 'Your role cannot create partners'}
      onClick={onClick}
    >
      New partner
    </Button>
  )
}

function NoPartners({ onCreate }: { readonly onCreate: () => void }) {
  return (
    <EmptyState
      icon={Handshake}
      title="No partner yet"
      action={<NewPartnerButton isSecond onClick={onCreate} />}
    >
      A partner is a company that works for this organisation and needs keys and webhooks of its own.
    </EmptyState>
  )
}
