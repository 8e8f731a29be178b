import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FlowRunListDocument } from '#api/generated/flows.ts'
import { q } from '#api/query-client.ts'
import { compareTerm } from '#features/conditions/condition-terms.ts'
import { PreviewFacts } from '#features/lists/preview-facts.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { PreviewPanel } from '#ui/preview-panel.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { Time } from '#ui/time.tsx'
import { causeText } from '../flow-sentence.ts'
import { RunState } from '../flow-state.tsx'
import { tookText } from './flow-run-columns.tsx'

interface FlowRunPreviewProps {
  readonly id: string
  readonly onClose: () => void
}

/** A run beside its list. */
export function FlowRunPreview({ id, onClose }: FlowRunPreviewProps) {
  const { data, error, refetch } = useQuery(
    q(FlowRunListDocument, { where: compareTerm('id', [id]), sort: null, first: 1, offset: 0 }),
  )
  const [run] = data?.flowRuns.items ?? []
  return (
    <PreviewPanel
      title={run ? run.flowName || 'Run' : 'Run'}
      actions={
        run && (
          <Button
            variant="default"
            renderRoot={(props) => (
              <Link
                to="/flows/$flowId/runs/$runId"
                params={{ flowId: run.flowId, runId: run.id }}
                {...props}
              />
            )}
          >
            Steps and log
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
            { title: 'Status', value: <RunState status={run.status} /> },
            { title: 'Outcome', value: run.reason },
            { title: 'Why it began', value: causeText({ cause: run.cause }) },
            { title: 'Asset', value: run.assetName },
            { title: 'Begun', value: <Time at={run.createdAt} /> },
            { title: 'Took', value: tookText(run) },
            { title: 'Version', value: String(run.version) },
          ]}
        />
      )}
    </PreviewPanel>
  )
}
