import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Handshake, Plus, Power, PowerOff } from 'lucide-react'
import { useState } from 'react'
import { send } from '#api/client.ts'
import { PartnersDocument, UpdatePartnerDocument, type PartnerRow } from '#api/generated/partners.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { RowByRowBar, type RowVerb } from '#features/bulk-changes/row-by-row-bar.tsx'
import { count } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Page } from '#ui/page.tsx'
import { Panel } from '#ui/panel.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { useSelection } from '#ui/table/use-selection.ts'
import { Time } from '#ui/time.tsx'
import { PartnerForm } from './partner-form.tsx'
import { PartnerApiState } from './partner-api-state.tsx'

const SHOWN_MAX = 100

export function PartnersPage() {
  const { data, error, refetch } = useQuery(q(PartnersDocument, { first: SHOWN_MAX, offset: 0 }))
  const [isCreating, setCreating] = useState(false)
  const create = () => setCreating(true)
  const partners = data?.partners
  const may = usePermission()
  const selection = useSelection({ key: 'partners', total: partners?.total ?? 0 })
  const selected = (partners?.items ?? []).filter(({ id }) => selection.has(id))
  return (
    <Page
      title="Partners"
      aside={partners && <Badge>{count(partners.total)}</Badge>}
      description="Companies that reach a part of this organisation through the partner API, each with its own keys, limits and webhooks."
      actions={<NewPartnerButton onClick={create} />}
    >
      <Panel isFlush>
        <DataTable
          label="Partners"
          columns={columns}
          rows={partners?.items}
          total={partners?.total}
          keyOf={({ id }) => id}
          error={error}
          onRetry={() => void refetch()}
          empty={<NoPartners onCreate={create} />}
          selecting={may('partners:write') ? { selection, nameOf: ({ name }) => name } : undefined}
        />
      </Panel>
      <RowByRowBar noun="partner" selection={selection} rows={selected} verbs={verbs} />
      {partners && partners.total > SHOWN_MAX && (
        <p className="quiet">The newest {count(SHOWN_MAX)} are listed; the REST API lists all of them.</p>
      )}
      {isCreating && <PartnerForm partner={undefined} onClose={() => setCreating(false)} />}
    </Page>
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

const columns: readonly Column<PartnerRow>[] = [
  {
    title: 'Name',
    sortBy: ({ name }) => name,
    cell: ({ id, name, slug }) => (
      <TwoLines below={<code>{slug}</code>}>
        <Link to="/partners/$partnerId" params={{ partnerId: id }}>
          {name}
        </Link>
      </TwoLines>
    ),
  },
  { title: 'API', cell: ({ apiEnabled }) => <PartnerApiState isEnabled={apiEnabled} /> },
  { title: 'Contact', isMinor: true, cell: ({ email }) => email },
  {
    title: 'Asset quota',
    sortBy: ({ quotaLimit }) => quotaLimit,
    isMinor: true,
    align: 'right',
    cell: ({ quotaLimit }) => count(quotaLimit),
  },
  {
    title: 'Requests per minute',
    sortBy: ({ rateLimit }) => rateLimit,
    isMinor: true,
    align: 'right',
    cell: ({ rateLimit }) => count(rateLimit),
  },
  {
    title: 'Created',
    sortBy: ({ createdAt }) => createdAt,
    isMinor: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
]

function NewPartnerButton({ onClick }: { readonly onClick: () => void }) {
  const may = usePermission()
  return (
    <Button
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
    <EmptyState icon={Handshake} title="No partner yet" action={<NewPartnerButton onClick={onCreate} />}>
      A partner is a company that works for this organisation and needs keys and webhooks of its own.
    </EmptyState>
  )
}
