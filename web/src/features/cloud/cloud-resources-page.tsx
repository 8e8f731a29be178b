import { Button, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Cloud, Search } from 'lucide-react'
import { CloudResourcesDocument, type CloudResourceRow } from '#api/generated/cloud.ts'
import { q } from '#api/query-client.ts'
import { count } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Page } from '#ui/page.tsx'
import { Panel } from '#ui/panel.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { Pagination } from '#ui/table/pagination.tsx'
import { Time } from '#ui/time.tsx'
import { useOffset } from '#ui/table/use-address-value.ts'
import {
  PROVIDERS,
  providerName,
  typeName,
  TYPES,
  type CloudSearch,
  readCloudSearch,
} from './cloud-search-params.ts'
import { money, monthName, settled } from './cost-words.ts'
import styles from './cloud-resources-page.module.css'

const SIZE = 50
const TYPING_MS = 200

export function CloudResourcesPage() {
  const search = useSearch({ from: '/app/cloud', select: readCloudSearch, structuralSharing: true })
  const [offset, setOffset] = useOffset('Cloud resources')
  const { text = null, provider = null, kind = null } = search
  const { data, error, refetch } = useQuery({
    ...q(CloudResourcesDocument, { search: text, provider, type: kind, first: SIZE, offset }),
    placeholderData: keepPreviousData,
  })
  const total = data?.cloudResources.total
  return (
    <Page
      title="Cloud resources"
      aside={total !== undefined && <Badge>{count(total)}</Badge>}
      description="What is there at AWS, Azure, Google Cloud and in Kubernetes clusters, as their own interfaces list it."
      actions={<ConnectionsButton />}
    >
      <Filters search={search} />
      <Panel isFlush>
        <DataTable
          label="Cloud resources"
          columns={columns}
          rows={data?.cloudResources.items}
          total={data?.cloudResources.total}
          keyOf={({ id }) => id}
          error={error}
          onRetry={() => void refetch()}
          empty={<NothingFound search={search} />}
        />
        {total !== undefined && <Pagination total={total} offset={offset} size={SIZE} onOffset={setOffset} />}
      </Panel>
    </Page>
  )
}

const columns: readonly Column<CloudResourceRow>[] = [
  {
    title: 'Name',
    sortBy: ({ name }) => name,
    cell: ({ name, assetId, account }) => (
      <TwoLines below={account}>
        {assetId === null ? (
          <span className={styles['name']}>{name}</span>
        ) : (
          <Link className={styles['name']} to="/assets/$assetId" params={{ assetId }}>
            {name}
          </Link>
        )}
      </TwoLines>
    ),
  },
  {
    title: 'Type',
    sortBy: ({ type }) => type,
    cell: ({ type, provider }) => <TwoLines below={providerName(provider)}>{typeName(type)}</TwoLines>,
  },
  {
    title: 'Region',
    sortBy: ({ region }) => region,
    isMinor: true,
    cell: (resource) => <Region {...resource} />,
  },
  {
    title: 'Status',
    sortBy: ({ status }) => status,
    cell: ({ status }) => status || <span className="quiet">not told</span>,
  },
  { title: 'Cost', align: 'right', isMinor: true, cell: ({ costs }) => <Cost costs={costs} /> },
  {
    title: 'Connection',
    sortBy: ({ connectionName }) => connectionName,
    isMinor: true,
    cell: ({ connectionName }) => connectionName,
  },
  {
    title: 'Last seen',
    sortBy: ({ lastSeen }) => lastSeen,
    isMinor: true,
    cell: ({ lastSeen }) => <Time at={lastSeen} />,
  },
]

/** Where it is, and how much carbon its energy costs where the provider publishes that. */
function Region({ region, place, carbon }: Pick<CloudResourceRow, 'region' | 'place' | 'carbon'>) {
  const grid = carbon && `${Math.round(carbon.gridGramsPerKwh)} g CO₂e/kWh, ${carbon.year}`
  if (!place) return region
  return <TwoLines below={grid ? `${place}, ${grid}` : place}>{region}</TwoLines>
}

function Cost({ costs }: Pick<CloudResourceRow, 'costs'>) {
  const cost = settled(costs)
  if (!cost) return <span className="quiet">not told</span>
  return <TwoLines below={monthName(cost.month)}>{money(cost)}</TwoLines>
}

function ConnectionsButton() {
  return (
    <Button variant="default" renderRoot={(props) => <Link to="/cloud-connections" {...props} />}>
      Connections
    </Button>
  )
}

interface FiltersProps {
  readonly search: CloudSearch
}

function Filters({ search }: FiltersProps) {
  const navigate = useNavigate()
  const choose = (change: CloudSearch) => {
    void navigate({ to: '/cloud', search: { ...search, ...change }, replace: true })
  }
  const type = useDebouncedCallback((text: string) => choose({ text: text || undefined }), TYPING_MS)
  return (
    <div className={styles['filters']}>
      <TextInput
        type="search"
        aria-label="Search the cloud resources"
        placeholder="Search name or id"
        leftSection={<Search size={14} aria-hidden />}
        defaultValue={search.text ?? ''}
        onChange={({ currentTarget }) => type(currentTarget.value)}
      />
      <Select
        aria-label="Provider"
        placeholder="All providers"
        clearable
        data={[...PROVIDERS]}
        value={search.provider ?? null}
        onChange={(value) => choose({ provider: PROVIDERS.find((it) => it.value === value)?.value })}
      />
      <Select
        aria-label="Type"
        placeholder="All types"
        clearable
        data={[...TYPES]}
        value={search.kind ?? null}
        onChange={(value) => choose({ kind: TYPES.find((it) => it.value === value)?.value })}
      />
    </div>
  )
}

function NothingFound({ search }: { readonly search: CloudSearch }) {
  if (Object.values(search).some((it) => it !== undefined))
    return (
      <EmptyState icon={Cloud} title="No such resource">
        Nothing fits the search and the filters above.
      </EmptyState>
    )
  return (
    <EmptyState icon={Cloud} title="No cloud resources yet" action={<ConnectionsButton />}>
      Connect an account, an organisation or a directory of AWS, Azure or Google Cloud. It is read every hour,
      with the right to list and nothing else.
    </EmptyState>
  )
}
