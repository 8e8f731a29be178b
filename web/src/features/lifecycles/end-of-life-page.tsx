import { Button, Select } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { CalendarCheck } from 'lucide-react'
import { useState } from 'react'
import { EndOfLifeDocument, type EndOfLifeRow } from '#api/generated/lifecycles.ts'
import { q } from '#api/query-client.ts'
import { AssetCountLink } from '#features/software/asset-count-link.tsx'
import { InstalledOnDrawer, type InstalledItem } from '#features/software/installed-on-drawer.tsx'
import { day } from '#lib/dates.ts'
import { count } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Page } from '#ui/page.tsx'
import { Pagination } from '#ui/table/pagination.tsx'
import { Panel } from '#ui/panel.tsx'
import { useOffset } from '#ui/table/use-address-value.ts'
import { daysTo, distanceTo, nameOf } from './end-of-life-dates.ts'
import { WITHIN, WITHIN_DEFAULT } from './end-of-life-search-params.ts'
import styles from './end-of-life-page.module.css'

const SIZE = 50

export function EndOfLifePage() {
  const { within = WITHIN_DEFAULT } = useSearch({ from: '/app/end-of-life' })
  const navigate = useNavigate()
  const [offset, setOffset] = useOffset('Ends')
  const [opened, setOpened] = useState<InstalledItem>()
  const { data, error, refetch } = useQuery({
    ...q(EndOfLifeDocument, { withinDays: within, first: SIZE, offset }),
    placeholderData: keepPreviousData,
  })
  const total = data?.endOfLife.total
  return (
    <Page
      title="End of life"
      aside={<Badge>{total === undefined ? '…' : count(total)}</Badge>}
      description="Systems and software that get no more fixes from their makers, or soon will not; the earliest end first."
      actions={
        <Select
          aria-label="How far ahead"
          allowDeselect={false}
          data={[...WITHIN]}
          value={String(within)}
          onChange={(value) => {
            const search = value === String(WITHIN_DEFAULT) ? {} : { within: Number(value) }
            void navigate({ to: '/end-of-life', search, replace: true })
          }}
        />
      }
    >
      <Panel isFlush>
        <DataTable
          label="Ends"
          columns={columnsFor(setOpened)}
          rows={data?.endOfLife.items}
          keyOf={({ id }) => id}
          error={error}
          onRetry={() => void refetch()}
          empty={<NoEndOfLife />}
        />
        {total !== undefined && <Pagination total={total} offset={offset} size={SIZE} onOffset={setOffset} />}
      </Panel>
      <p className={styles['source']}>The dates are those of endoflife.date.</p>
      <InstalledOnDrawer held={opened} onClose={() => setOpened(undefined)} />
    </Page>
  )
}

const columnsFor = (onOpen: (held: InstalledItem) => void): readonly Column<EndOfLifeRow>[] => [
  {
    title: 'Name',
    cell: (ending) => (
      <TwoLines below={`${ending.label} ${ending.cycle}`}>
        <span className={styles['name']}>{nameOf(ending)}</span>
      </TwoLines>
    ),
  },
  { title: 'Kind', isMinor: true, cell: ({ kind }) => (kind === 'system' ? 'System' : 'Software') },
  { title: 'State', isMinor: true, cell: (ending) => <State ending={ending} /> },
  {
    title: 'Ends',
    cell: ({ endsOn, extendedUntil }) => (
      <TwoLines below={extendedUntil === null ? '' : `at a price until ${day(extendedUntil)}`}>
        {endsOn === null ? (
          <span className="quiet">no date is told</span>
        ) : (
          <span className={styles['ends']}>
            <time dateTime={endsOn}>{day(endsOn)}</time> <span className="quiet">{distanceTo(endsOn)}</span>
          </span>
        )}
      </TwoLines>
    ),
  },
  { title: 'Latest of its line', isMinor: true, cell: ({ latest }) => latest ?? '' },
  {
    title: 'Assets',
    align: 'right',
    cell: (ending) => (
      <AssetCountLink held={{ id: ending.id, name: nameOf(ending) }} assets={ending.assets} onOpen={onOpen} />
    ),
  },
]

function State({ ending: { isEnded, endsOn } }: { readonly ending: EndOfLifeRow }) {
  if (isEnded)
    return (
      <Badge tone="bad" sign="×">
        Ended
      </Badge>
    )
  return endsOn !== null && daysTo(endsOn) <= WITHIN_DEFAULT ? (
    <Badge tone="warn" sign="◐">
      Ends soon
    </Badge>
  ) : (
    <Badge tone="good" sign="●">
      Maintained
    </Badge>
  )
}

function NoEndOfLife() {
  const navigate = useNavigate()
  return (
    <EmptyState
      icon={CalendarCheck}
      title="Nothing that is known to end"
      action={
        <Button variant="default" onClick={() => void navigate({ to: '/feeds' })}>
          Look at the feeds
        </Button>
      }
    >
      The dates come with the feed endoflife.date; turn it on, or bring it by hand. What is installed comes
      with scans and imports.
    </EmptyState>
  )
}
