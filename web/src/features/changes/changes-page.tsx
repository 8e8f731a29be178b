import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { History } from 'lucide-react'
import { ChangeCountsDocument, type ChangeCountsData } from '#api/generated/changes.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { zone } from '#lib/dates.ts'
import { count } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { Page } from '#ui/page.tsx'
import { Panel } from '#ui/panel.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { ChangeFilters } from './change-filters.tsx'
import { changeFamilies, kindsOf } from './change-families.ts'
import { chosenFamilies, stretchOf, whoOf, type ChangeSearch } from './change-search-params.ts'
import { DayOfChanges } from './day-of-changes.tsx'
import { FamilyCounts } from './family-counts.tsx'

/** Days whose assets are shown at once; the others are opened by a click. */
const OPEN_DAYS = 2

type Counts = ChangeCountsData['changeCounts']

export function ChangesPage() {
  const search = useSearch({ from: '/app/changes' })
  const may = usePermission()
  const families = changeFamilies.filter(({ permission }) => permission === undefined || may(permission))
  const kinds = kindsOf(families, chosenFamilies(search))
  const { data, error, refetch } = useQuery({
    ...q(ChangeCountsDocument, {
      ...stretchOf(search),
      ...whoOf(search),
      ...(search.where && { where: search.where }),
      zone: zone(),
    }),
    placeholderData: keepPreviousData,
  })
  const counts = data?.changeCounts
  const wanted = counts?.filter(({ kind }) => kinds.includes(kind))
  const total = wanted?.reduce((sum, it) => sum + it.count, 0)
  return (
    <Page
      title="Changes"
      aside={total !== undefined && <Badge>{count(total)}</Badge>}
      description="What is different from before, on which assets, and who changed it. Changes are kept for 90 days."
    >
      <ChangeFilters search={search} />
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!error && <FamilyCounts families={families} counts={counts} search={search} />}
      {!error && <Days counts={wanted} search={search} />}
    </Page>
  )
}

interface DaysProps {
  readonly counts: Counts | undefined
  readonly search: ChangeSearch
}

function Days({ counts, search }: DaysProps) {
  if (!counts)
    return (
      <Panel>
        <SkeletonBlock />
      </Panel>
    )
  const days = [...Map.groupBy(counts, ({ day }) => day)]
  if (days.length === 0) return <NothingChanged search={search} />
  return days.map(([day, ofDay], at) => (
    <DayOfChanges
      key={`${day} ${JSON.stringify(search)}`}
      day={day}
      counts={ofDay}
      search={search}
      isOpenAtFirst={at < OPEN_DAYS}
    />
  ))
}

function NothingChanged({ search }: { readonly search: ChangeSearch }) {
  const navigate = useNavigate()
  const isNarrowed = Object.keys(search).some((key) => key !== 'since')
  return (
    <Panel>
      <EmptyState
        icon={History}
        title={isNarrowed ? 'No change fits' : 'Nothing changed in this time'}
        action={
          <Button
            variant="default"
            onClick={() => void navigate({ to: '/changes', search: { since: 'month' } })}
          >
            Show the last 30 days
          </Button>
        }
      >
        Whatever a scan, an agent, an import or a person changes is listed here as soon as it is stored.
      </EmptyState>
    </Panel>
  )
}
