import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { DiscoveryRunListDocument } from '#api/generated/discoveries.ts'
import { q } from '#api/query-client.ts'
import { compareTerm } from '#features/conditions/condition-terms.ts'
import { PreviewFacts } from '#features/lists/preview-facts.tsx'
import { count } from '#lib/numbers.ts'
import { LoadError } from '#ui/load-error.tsx'
import { PreviewPanel } from '#ui/preview-panel.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { Time } from '#ui/time.tsx'
import { tookText } from './run-columns.tsx'
import { RunStatusBadge } from './run-status.tsx'
import { CAUSES, changeText } from './runs-panel.tsx'

interface DiscoveryRunPreviewProps {
  readonly id: string
  readonly onClose: () => void
}

/** A run beside its list. */
export function DiscoveryRunPreview({ id, onClose }: DiscoveryRunPreviewProps) {
  const { data, error, refetch } = useQuery(
    q(DiscoveryRunListDocument, { where: compareTerm('id', [id]), sort: null, first: 1, offset: 0 }),
  )
  const [run] = data?.discoveryRuns.items ?? []
  return (
    <PreviewPanel
      title={run ? run.name : 'Run'}
      actions={
        run && (
          <Button
            variant="default"
            renderRoot={(props) => <Link to="/discoveries/$runId" params={{ runId: run.id }} {...props} />}
          >
            Its hosts
          </Button>
        )
      }
      onClose={onClose}
    >
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonBlock label="Loading the run" />}
      {data && !run && <p>The run is no more.</p>}
      {run && (
        <PreviewFacts
          facts={[
            { title: 'Status', value: <RunStatusBadge status={run.status} /> },
            { title: 'Result', value: run.message },
            { title: 'Started by', value: CAUSES[run.cause] },
            { title: 'Hosts', value: count(run.hostsFound) },
            { title: 'Logged in', value: count(run.loggedIn) },
            { title: 'Refused', value: count(run.refused) },
            { title: 'Change', value: changeText(run) },
            { title: 'Begun', value: <Time at={run.createdAt} /> },
            { title: 'Took', value: tookText(run) },
          ]}
        />
      )}
    </PreviewPanel>
  )
}
