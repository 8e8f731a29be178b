import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import {
  AssessmentDocument,
  FindingsDocument,
  FindingsOverviewDocument,
  type FindingRow,
  type FindingsData,
} from '#api/generated/vulnerabilities.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import type { FacetField } from '#features/conditions/facets-panel.tsx'
import type { ListColumn } from '#features/lists/list-column.ts'
import { ListFrame } from '#features/lists/list-frame.tsx'
import { NothingFits } from '#features/lists/nothing-fits.tsx'
import { useColumnLayout } from '#features/lists/use-column-layout.ts'
import { useRowsOf } from '#features/lists/use-list-rows.ts'
import { ReportOfTheseButton } from '#features/reports/report-of-these-button.tsx'
import { usePreview } from '#ui/table/use-address-value.ts'
import { useSelection } from '#ui/table/use-selection.ts'
import { isAnythingAssessed } from '../assessment.ts'
import { AssessmentNotice } from '../assessment-notice.tsx'
import { PendingApprovals, usePendingApprovals } from '../overrides/pending-approvals.tsx'
import { SeverityCounts } from '../severity-counts.tsx'
import { findingColumns, findingName } from './finding-columns.tsx'
import { FindingDecisions } from './finding-decisions.tsx'
import { FindingGroups } from './finding-groups.tsx'
import { FindingPreview } from './finding-preview.tsx'
import {
  GROUPINGS,
  groupingOf,
  listedWhere,
  readFindingSearch,
  UNGROUPED,
  variablesOf,
  type FindingSearch,
} from './finding-search-params.ts'
import { NothingFound } from './nothing-found.tsx'

const source = { operation: FindingsDocument, rowsIn: ({ findings }: FindingsData) => findings }

const FACETS: readonly FacetField[] = [
  { field: 'severity', label: 'Severity', isWord: true },
  { field: 'kev', label: 'In a KEV catalogue', isWord: true },
  { field: 'fixable', label: 'With a fix', isWord: true },
  { field: 'product', label: 'Software' },
  { field: 'cve', label: 'CVE' },
  { field: 'asset.os', label: 'Operating system' },
  { field: 'asset.site', label: 'Site' },
  { field: 'asset.owner', label: 'Owner' },
  { field: 'match', label: 'Match', isWord: true },
  { field: 'unconfirmed', label: 'Unconfirmed', isWord: true },
  { field: 'status', label: 'Status', isWord: true },
]

const VIEWS = [
  { name: 'What closes the most', search: {} },
  { name: 'Exploited', search: { where: 'exploited = yes', group: UNGROUPED } },
  { name: 'Found this week', search: { where: 'found_at >= -7d', group: UNGROUPED } },
] as const

export function FindingsPage() {
  const search = useSearch({
    from: '/app/vulnerabilities',
    select: readFindingSearch,
    structuralSharing: true,
  })
  const preview = usePreview()
  const may = usePermission()
  const layout = useColumnLayout<FindingRow, ListColumn<FindingRow>>({
    subject: 'finding',
    all: findingColumns,
    search,
  })
  const rows = useRowsOf(
    useMemo(() => variablesOf(search), [search]),
    source,
  )
  const selection = useSelection({ key: search, total: rows.total ?? 0, mayAll: true })
  const mayAskAbout = ({ field }: FacetField) => may('assets:read') || !field.startsWith('asset.')
  return (
    <ListFrame
      subject="finding"
      file="findings.csv"
      title="Vulnerabilities"
      label="Findings"
      loading="Loading findings"
      description="One finding for each CVE and asset. Each says which record made it, by which version rule, and why nothing speaks against it."
      actions={<ReportOfTheseButton findings={listedWhere(search)} />}
      lead={<Summary search={search} />}
      box={BOX}
      usual={{ sort: 'score', direction: 'desc' }}
      facets={FACETS.filter(mayAskAbout)}
      grouping={groupingIn(search, rows.total, GROUPINGS.filter(mayAskAbout))}
      views={VIEWS}
      read={readFindingSearch}
      nameOf={findingName}
      nothingYet={<NothingFound />}
      nothingFits={<NoneFits />}
      bars={may('overrides:write') && <FindingDecisions selection={selection} where={listedWhere(search)} />}
      previewPanel={<FindingPreview preview={preview} />}
      selection={may('overrides:write') ? selection : undefined}
      {...{ search, rows, layout, preview }}
    />
  )
}

const BOX = {
  label: 'Search the findings',
  placeholder: 'CVE, software, asset … or severity, kev, asset.os …',
  hint: 'Open findings, unless the condition asks about the status.',
}

function groupingIn(search: FindingSearch, total: number | undefined, fields: readonly FacetField[]) {
  // where nothing is found, the list says what to do next
  const current = search.group === undefined && total === 0 ? undefined : groupingOf(search)
  const group = fields.find(({ field }) => field === current)
  return {
    fields,
    current: group?.field,
    ungrouped: UNGROUPED,
    list: group && <FindingGroups key={JSON.stringify(search)} {...{ search, group }} />,
  }
}

const NoneFits = () => (
  <NothingFits title="No finding fits">
    Words are looked for in the CVE’s id, the software, and the asset’s name, address and serial. A condition
    leaves out what is not known; remove a term to see more.
  </NothingFits>
)

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
