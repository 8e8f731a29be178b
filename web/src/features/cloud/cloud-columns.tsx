import { Link } from '@tanstack/react-router'
import type { CloudResourceRow } from '#api/generated/cloud.ts'
import type { ListColumn } from '#features/lists/list-column.ts'
import { ChipLine } from '#ui/badge.tsx'
import { Time } from '#ui/time.tsx'
import { providerName, typeName } from './cloud-search-params.ts'
import { money, monthName, settled } from './cost-words.ts'
import styles from './cloud-resources-page.module.css'

export const cloudColumns: readonly ListColumn<CloudResourceRow>[] = [
  {
    key: 'name',
    title: 'Name',
    width: 11,
    grow: 1.4,
    cell: (resource) => <Name {...resource} />,
    sort: 'name',
  },
  { key: 'type', title: 'Type', width: 6, cell: ({ type }) => typeName(type), sort: 'type' },
  {
    key: 'provider',
    title: 'Provider',
    width: 6,
    cell: ({ provider }) => providerName(provider),
    sort: 'provider',
  },
  {
    key: 'region',
    title: 'Region',
    width: 7,
    grow: 0.6,
    cell: (resource) => <Region {...resource} />,
    sort: 'region',
  },
  {
    key: 'status',
    title: 'Status',
    width: 6,
    cell: ({ status }) => status || <span className="quiet">not told</span>,
    sort: 'status',
  },
  { key: 'account', title: 'Account', width: 7, grow: 0.8, cell: ({ account }) => account, sort: 'account' },
  {
    key: 'tags',
    title: 'Tags',
    width: 7,
    fillsWidth: true,
    cell: ({ tags }) => <ChipLine words={tags} />,
  },
  { key: 'cost', title: 'Cost', width: 6, cell: ({ costs }) => <Cost costs={costs} /> },
  {
    key: 'connection',
    title: 'Connection',
    width: 9,
    cell: ({ connectionName }) => connectionName,
    sort: 'connection',
    isExtra: true,
  },
  {
    key: 'lastSeen',
    title: 'Last seen',
    width: 8,
    cell: ({ lastSeen }) => <Time at={lastSeen} />,
    sort: 'last_seen',
    isGreatestFirst: true,
  },
]

function Name({ name, assetId }: Pick<CloudResourceRow, 'name' | 'assetId'>) {
  if (assetId === null) return <span className={styles['name']}>{name}</span>
  return (
    <Link className={styles['name']} to="/assets/$assetId" params={{ assetId }}>
      {name}
    </Link>
  )
}

/** The place, and how much carbon its energy costs where the provider publishes that, are in the title. */
function Region({ region, place, carbon }: Pick<CloudResourceRow, 'region' | 'place' | 'carbon'>) {
  const grid = carbon && `${Math.round(carbon.gridGramsPerKwh)} g CO₂e/kWh, ${carbon.year}`
  return <span title={[place, grid].filter(Boolean).join(', ')}>{region}</span>
}

export function Cost({ costs }: Pick<CloudResourceRow, 'costs'>) {
  const cost = settled(costs)
  if (!cost) return <span className="quiet">not told</span>
  return <span title={monthName(cost.month)}>{money(cost)}</span>
}
