import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ScanListDocument } from '#api/generated/scans.ts'
import { q } from '#api/query-client.ts'
import { compareTerm } from '#features/conditions/condition-terms.ts'
import { PreviewFacts } from '#features/lists/preview-facts.tsx'
import { count } from '#lib/numbers.ts'
import { LoadError } from '#ui/load-error.tsx'
import { PreviewPanel } from '#ui/preview-panel.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { Time } from '#ui/time.tsx'
import { tookText } from './scan-columns.tsx'
import { ScanStatusBadge } from './scan-status.tsx'

interface ScanPreviewProps {
  readonly id: string
  readonly onClose: () => void
}

/** A scan beside its list. */
export function ScanPreview({ id, onClose }: ScanPreviewProps) {
  const { data, error, refetch } = useQuery(
    q(ScanListDocument, { where: compareTerm('id', [id]), sort: null, first: 1, offset: 0 }),
  )
  const [scan] = data?.scans.items ?? []
  return (
    <PreviewPanel
      title={scan ? scan.targetAddress : 'Scan'}
      actions={
        scan && (
          <Button
            variant="default"
            renderRoot={(props) => <Link to="/scans/$scanId" params={{ scanId: scan.id }} {...props} />}
          >
            What it found
          </Button>
        )
      }
      onClose={onClose}
    >
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonBlock label="Loading the scan" />}
      {data && !scan && <p>The scan is no more.</p>}
      {scan && (
        <PreviewFacts
          facts={[
            { title: 'Status', value: <ScanStatusBadge status={scan.status} /> },
            { title: 'Result', value: scan.message },
            { title: 'Type', value: scan.type },
            { title: 'Assets', value: count(scan.assetCount) },
            { title: 'Asked for', value: <Time at={scan.createdAt} /> },
            { title: 'Took', value: tookText(scan) },
          ]}
        />
      )}
    </PreviewPanel>
  )
}
