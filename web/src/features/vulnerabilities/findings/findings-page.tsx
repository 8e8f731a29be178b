import { keepPreviousData, usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import {
  AssessmentDocument,
  FindingsDocument,
  FindingsOverviewDocument,
} from '#api/generated/vulnerabilities.ts'
import { q } from '#api/query-client.ts'
import { useFacetsPanel } from '#features/conditions/facets-panel.tsx'
import { SavedViews } from '#features/lists/saved-views.tsx'
import { ReportOfTheseButton } from '#features/reports/report-of-these-button.tsx'
import { count } from '#lib/numbers.ts'
import { AfterLoading } from '#ui/after-loading.tsx'
import { Badge } from '#ui/badge.tsx'
import { Page } from '#ui/page.tsx'
import { isAnythingAssessed } from '../assessment.ts'
import { AssessmentNotice } from '../assessment-notice.tsx'
import { FindingFacets } from './finding-facets.tsx'
import { FindingFilters } from './finding-filters.tsx'
import { FindingGroups } from './finding-groups.tsx'
import { FindingList, FINDINGS_SHOWN } from './finding-list.tsx'
import {
  groupingOf,
  listedWhere,
  readFindingSearch,
  variablesOf,
  type FindingSearch,
} from './finding-search-params.ts'
import styles from './findings-page.module.css'
import { SeverityCounts } from '../severity-counts.tsx'
import { PendingApprovals, usePendingApprovals } from '../overrides/pending-approvals.tsx'

const VIEWS = [
  { name: 'What closes the most', search: {} },
  { name: 'Exploited', search: { where: 'exploited = yes', group: 'none' } },
  { name: 'Found this week', search: { where: 'found_at >= -7d', group: 'none' } },
] as const

export function FindingsPage() {
  const search = useSearch({
    from: '/app/vulnerabilities',
    select: readFindingSearch,
    structuralSharing: true,
  })
  const navigate = useNavigate()
  const facets = useFacetsPanel('finding')
  const { data } = useQuery({
    ...q(FindingsDocument, { ...variablesOf(search), first: FINDINGS_SHOWN, offset: 0 }),
    placeholderData: keepPreviousData,
  })
  const total = data?.findings.total
  // where nothing is found, the list says what to do next
  const group = search.group === undefined && total === 0 ? undefined : groupingOf(search)
  return (
    <Page
      title="Vulnerabilities"
      actions={<ReportOfTheseButton findings={listedWhere(search)} />}
      aside={total !== undefined && <Badge>{count(total)}</Badge>}
      description="One finding for each CVE and asset. Each says which record made it, by which version rule, and why nothing speaks against it."
    >
      <Summary search={search} />
      <AfterLoading>
        <SavedViews
          subject="finding"
          fixed={VIEWS}
          read={readFindingSearch}
          search={search}
          columns={undefined}
        />
        <FindingFilters search={search} panel={facets} />
        <div className={styles['body']}>
          <FindingFacets search={search} panel={facets} />
          <div className={styles['list']}>
            {group && <FindingGroups key={JSON.stringify(search)} search={search} group={group} />}
            {!group && (
              <FindingList
                search={search}
                onOrder={(order) =>
                  void navigate({ to: '/vulnerabilities', search: { ...search, order }, replace: true })
                }
              />
            )}
          </div>
        </div>
      </AfterLoading>
    </Page>
  )
}

function Summary({ search }: { readonly search: FindingSearch }) {
  usePrefetchQuery(q(AssessmentDocument, {}))
  usePendingApprovals()
  const { data } = useQuery(q(FindingsOverviewDocument, {}))
  // what is below would move when the counts come
  if (!data) return null
  return (
    <>
      <SeverityCounts
        counts={data.findingsOverview.counts}
        staleAssets={data.findingsOverview.staleAssets}
        search={search}
        isAssessed={isAnythingAssessed(data.assessment)}
      />
      <AssessmentNotice />
      <PendingApprovals />
    </>
  )
}
