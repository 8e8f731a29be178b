import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Radar } from 'lucide-react'
import { useState } from 'react'
import { ScanDocument, ScanResultsDocument } from '#api/generated/operations.ts'
import { q } from '#api/query-client.ts'
import { many } from '#lib/numbers.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { Page } from '#ui/page.tsx'
import { Pagination } from '#ui/table/pagination.tsx'
import { Panel } from '#ui/panel.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { ScanResult } from './scan-result.tsx'
import { isInProgress, ScanStatusBadge } from './scan-status.tsx'

const SIZE = 20
const REFRESH_MS = 3_000

/** What one scan saw, host by host. */
export function ScanPage() {
  const { scanId } = useParams({ from: '/app/scans/$scanId' })
  const [offset, setOffset] = useState(0)
  const { data, error, refetch } = useQuery({
    ...q(ScanDocument, { id: scanId }),
    refetchInterval: (query) =>
      query.state.data && isInProgress(query.state.data.scan.status) ? REFRESH_MS : false,
  })
  const results = useQuery({
    ...q(ScanResultsDocument, { scanId, first: SIZE, offset }),
    placeholderData: keepPreviousData,
  })
  const scan = data?.scan
  const page = results.data?.scanResults
  return (
    <Page
      title={scan ? `Scan of ${scan.targetAddress}` : 'Scan'}
      aside={scan && <ScanStatusBadge status={scan.status} />}
      description={scan && `${scan.type}: ${scan.message}`}
      actions={
        <Button variant="default" renderRoot={(props) => <Link to="/scans" {...props} />}>
          Scans
        </Button>
      }
    >
      {error ? <LoadError error={error} onRetry={() => void refetch()} /> : null}
      {!error && results.error ? (
        <LoadError error={results.error} onRetry={() => void results.refetch()} />
      ) : null}
      {!error && !page && !results.error && <SkeletonBlock />}
      {page?.total === 0 && (
        <Panel isFlush>
          <EmptyState icon={Radar} title="Nothing is kept of this scan">
            It saw no host, or it is more than 30 days old. What it found is in the inventory.
          </EmptyState>
        </Panel>
      )}
      {page?.items.map((result) => (
        <ScanResult key={result.id} result={result} />
      ))}
      {page && page.total > SIZE && (
        <Panel title={many(page.total, 'result')} isFlush>
          <Pagination total={page.total} offset={offset} size={SIZE} onOffset={setOffset} />
        </Panel>
      )}
    </Page>
  )
}
