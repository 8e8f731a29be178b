import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { ScanDocument } from '#api/generated/scans.ts'
import { q } from '#api/query-client.ts'
import { Page } from '#ui/page.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { CancelScanButton } from './cancel-scan-button.tsx'
import { ScanHosts } from './scan-hosts.tsx'
import { isInProgress, ScanStatusBadge } from './scan-status.tsx'

const REFRESH_MS = 3_000

/** The results of one scan, host by host. */
export function ScanPage() {
  const { scanId } = useParams({ from: '/app/scans/$scanId' })
  const { data, error, refetch } = useQuery({
    ...q(ScanDocument, { id: scanId }),
    refetchInterval: (query) =>
      query.state.data && isInProgress(query.state.data.scan.status) ? REFRESH_MS : false,
  })
  const scan = data?.scan
  return (
    <Page
      title={scan ? `Scan of ${scan.targetAddress}` : 'Scan'}
      aside={scan && <ScanStatusBadge status={scan.status} />}
      description={scan && `${scan.type}: ${scan.message}`}
      actions={
        <>
          {scan && isInProgress(scan.status) && <CancelScanButton scan={scan} />}
          <Button variant="default" renderRoot={(props) => <Link to="/scans" {...props} />}>
            Scans
          </Button>
        </>
      }
    >
      {error ? <LoadError error={error} onRetry={() => void refetch()} /> : null}
      {!error && !scan && <SkeletonBlock />}
      {scan && <ScanHosts key={scanId} scanId={scanId} isInProgress={isInProgress(scan.status)} />}
    </Page>
  )
}
