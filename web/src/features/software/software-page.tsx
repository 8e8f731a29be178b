import { Button, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Package, Search } from 'lucide-react'
import { useState } from 'react'
import { SoftwareListDocument, type SoftwareRow } from '#api/generated/software.ts'
import { q } from '#api/query-client.ts'
import { count } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Page } from '#ui/page.tsx'
import { Pagination } from '#ui/table/pagination.tsx'
import { Panel } from '#ui/panel.tsx'
import { useOffset } from '#ui/table/use-address-value.ts'
import { AssetCountLink } from './asset-count-link.tsx'
import { InstalledOnDrawer, type InstalledItem } from './installed-on-drawer.tsx'
import styles from './software-page.module.css'
import {
  ORIGINS,
  originName,
  variablesOf,
  type SoftwareSearch,
  readSoftwareSearch,
} from './software-search-params.ts'

const SIZE = 50
const TYPING_MS = 200

export function SoftwarePage() {
  const search = useSearch({ from: '/app/software', select: readSoftwareSearch, structuralSharing: true })
  const [offset, setOffset] = useOffset('Software')
  const [opened, setOpened] = useState<InstalledItem>()
  const { data, error, refetch } = useQuery({
    ...q(SoftwareListDocument, { ...variablesOf(search), first: SIZE, offset }),
    placeholderData: keepPreviousData,
  })
  const total = data?.software.total
  return (
    <Page
      title="Software"
      aside={total !== undefined && <Badge>{count(total)}</Badge>}
      description="Every distinct piece of software in its exact version, as package managers, registers and bills of materials list it."
      actions={
        <Button variant="default" renderRoot={(props) => <Link to="/software/lists" {...props} />}>
          Forbidden and allowed
        </Button>
      }
    >
      <Filters search={search} />
      <Panel isFlush>
        <DataTable
          label="Software"
          columns={columnsFor(setOpened)}
          rows={data?.software.items}
          total={data?.software.total}
          keyOf={({ id }) => id}
          error={error}
          onRetry={() => void refetch()}
          empty={<NothingFound search={search} />}
        />
        {total !== undefined && <Pagination total={total} offset={offset} size={SIZE} onOffset={setOffset} />}
      </Panel>
      <InstalledOnDrawer held={opened} onClose={() => setOpened(undefined)} />
    </Page>
  )
}

const columnsFor = (onOpen: (held: InstalledItem) => void): readonly Column<SoftwareRow>[] => [
  {
    title: 'Name',
    sortBy: ({ name }) => name,
    cell: ({ name, vendor, sourceName }) => (
      <TwoLines below={vendor || (sourceName !== '' && sourceName !== name ? `from ${sourceName}` : '')}>
        <span className={styles['name']}>{name}</span>
      </TwoLines>
    ),
  },
  {
    title: 'Version',
    cell: ({ version, arch }) => (
      <TwoLines below={arch}>
        <span className={styles['version']}>{version || 'not told'}</span>
      </TwoLines>
    ),
  },
  {
    title: 'Listed by',
    sortBy: ({ origin }) => originName(origin),
    isMinor: true,
    cell: ({ origin, ecosystem }) => <TwoLines below={ecosystem}>{originName(origin)}</TwoLines>,
  },
  {
    title: 'Assets',
    sortBy: ({ assets }) => assets,
    align: 'right',
    cell: ({ id, name, version, assets }) => (
      <AssetCountLink held={{ id, name: `${name} ${version}`.trim() }} assets={assets} onOpen={onOpen} />
    ),
  },
]

interface FiltersProps {
  readonly search: SoftwareSearch
}

function Filters({ search }: FiltersProps) {
  const navigate = useNavigate()
  const choose = (change: SoftwareSearch) => {
    void navigate({ to: '/software', search: { ...search, ...change }, replace: true })
  }
  const type = useDebouncedCallback((text: string) => choose({ text: text || undefined }), TYPING_MS)
  return (
    <div className={styles['filters']}>
      <TextInput
        type="search"
        aria-label="Search the software"
        placeholder="Search name, vendor, source package"
        leftSection={<Search size={14} aria-hidden />}
        defaultValue={search.text ?? ''}
        onChange={({ currentTarget }) => type(currentTarget.value)}
      />
      <Select
        aria-label="Listed by"
        placeholder="Listed by anything"
        clearable
        data={[...ORIGINS]}
        value={search.origin ?? null}
        onChange={(origin) => choose({ origin: origin ?? undefined })}
      />
    </div>
  )
}

function NothingFound({ search }: { readonly search: SoftwareSearch }) {
  const navigate = useNavigate()
  const isFiltered = Object.values(search).some((it) => it !== undefined)
  return (
    <EmptyState
      icon={Package}
      title={isFiltered ? 'No software fits' : 'No software yet'}
      action={
        isFiltered ? (
          <Button variant="default" onClick={() => void navigate({ to: '/software', search: {} })}>
            Clear the filters
          </Button>
        ) : (
          <Button onClick={() => void navigate({ to: '/scans' })}>Start a scan</Button>
        )
      }
    >
      {isFiltered
        ? 'The search looks in name, vendor and source package.'
        : 'Scans over SSH, WMI and SNMP list what is installed; a package list or an SBOM can be imported.'}
    </EmptyState>
  )
}
