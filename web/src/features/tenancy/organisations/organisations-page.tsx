import { Button, TextInput } from '@mantine/core'
import { Link, useRouteContext } from '@tanstack/react-router'
import { Search, SearchX } from 'lucide-react'
import { useState } from 'react'
import type { Tenant } from '#api/session.ts'
import { inTenant } from '#api/tenant-url.ts'
import { count } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Page } from '#ui/page.tsx'
import { Panel } from '#ui/panel.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { Pagination } from '#ui/table/pagination.tsx'
import { SelectionBar, SelectionBars } from '#ui/table/selection-bar.tsx'
import { useOffset } from '#ui/table/use-address-value.ts'
import { useSelection, type RowSelection } from '#ui/table/use-selection.ts'
import { DemoButton } from './demo-button.tsx'
import { AssetCount, FailedScanCount, OpenFindings, WaitingCount } from './organisation-figures.tsx'
import { InvitationLinks, InviteToSeveralForm } from './invite-to-several-form.tsx'
import type { Invited } from './invite-to-several.ts'
import { NewOrganisationForm } from './new-organisation-form.tsx'
import { RemoveDemo } from './remove-demo.tsx'
import { tenantsNamed } from './tenants-named.ts'

const LABEL = 'Organisations'
/** Each is asked four things. */
const SIZE = 10

/** All tenants of the person, each asked through its own API, so that its roles and limits hold. */
export function OrganisationsPage() {
  const { tenants, tenant: current, user } = useRouteContext({ from: '/app' }).session
  const [isMaking, setMaking] = useState(false)
  const [text, setText] = useState('')
  const [at, setAt] = useOffset('Organisations')
  const found = tenantsNamed(tenants, text)
  const offset = at < found.length ? at : 0
  const rows = found.slice(offset, offset + SIZE)
  const selection = useSelection({ key: `${text} ${offset}`, total: rows.length })
  return (
    <Page
      title={LABEL}
      aside={<Badge>{count(tenants.length)}</Badge>}
      description="Every organisation that you belong to. Each answers for itself, as far as your role there shows it."
      actions={
        <>
          <BackTo name={current.name} />
          <SearchBox
            text={text}
            onText={(to) => {
              setText(to)
              setAt(0)
            }}
          />
          {!tenants.some(({ isDemo }) => isDemo) && <DemoButton />}
          {user.mayCreateTenants && <Button onClick={() => setMaking(true)}>New organisation</Button>}
        </>
      }
    >
      <Panel isFlush>
        <DataTable
          label={LABEL}
          name="organisations"
          columns={columnsOf(current.id)}
          rows={rows}
          total={found.length}
          keyOf={({ id }) => id}
          selecting={{ selection, nameOf: ({ name }) => name }}
          empty={<NoneNamed />}
        />
        <Pagination total={found.length} offset={offset} size={SIZE} onOffset={setAt} />
      </Panel>
      <InvitationsBar selection={selection} tenants={rows} />
      {isMaking && <NewOrganisationForm onClose={() => setMaking(false)} />}
    </Page>
  )
}

const NoneNamed = () => (
  <EmptyState icon={SearchX} title="None has this name">
    Only organisations that you belong to are found. Others invite you.
  </EmptyState>
)

const BackTo = ({ name }: Pick<Tenant, 'name'>) => (
  <Button variant="default" renderRoot={(props) => <Link to="/" {...props} />}>
    Back to {name}
  </Button>
)

interface SearchBoxProps {
  readonly text: string
  readonly onText: (text: string) => void
}

const SearchBox = ({ text, onText }: SearchBoxProps) => (
  <TextInput
    aria-label="Find an organisation"
    placeholder="Find an organisation"
    leftSection={<Search size={14} aria-hidden />}
    value={text}
    onChange={({ currentTarget }) => onText(currentTarget.value)}
  />
)

interface InvitationsBarProps {
  readonly selection: RowSelection
  readonly tenants: readonly Tenant[]
}

/** Invites one person to all that are selected. */
function InvitationsBar({ selection, tenants }: InvitationsBarProps) {
  const [isInviting, setInviting] = useState(false)
  const [invited, setInvited] = useState<readonly Invited[]>()
  return (
    <>
      <SelectionBars>
        <SelectionBar selection={selection} noun="organisation">
          <Button variant="default" onClick={() => setInviting(true)}>
            Invite somebody
          </Button>
        </SelectionBar>
      </SelectionBars>
      {isInviting && (
        <InviteToSeveralForm
          tenants={tenants.filter(({ id }) => selection.has(id))}
          onInvited={setInvited}
          onClose={() => setInviting(false)}
        />
      )}
      {invited && <InvitationLinks invited={invited} onClose={() => setInvited(undefined)} />}
    </>
  )
}

const columnsOf = (currentId: string): readonly Column<Tenant>[] => [
  {
    title: 'Organisation',
    cell: ({ id, slug, name, isDemo }) => (
      <>
        <a href={inTenant('/', slug)}>{name}</a> {id === currentId && <Badge>This one</Badge>}{' '}
        {isDemo && <Badge>Demo</Badge>} {isDemo && id !== currentId && <RemoveDemo name={name} />}
      </>
    ),
  },
  { title: 'Assets', align: 'right', cell: ({ slug }) => <AssetCount slug={slug} /> },
  { title: 'Open findings', align: 'right', cell: ({ slug }) => <OpenFindings slug={slug} /> },
  {
    title: 'Failed scans',
    align: 'right',
    isMinor: true,
    cell: ({ slug }) => <FailedScanCount slug={slug} />,
  },
  { title: 'Waits for you', align: 'right', isMinor: true, cell: ({ slug }) => <WaitingCount slug={slug} /> },
]
