import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CheckListDocument, type CheckRow } from '#api/generated/compliance-lists.ts'
import { q } from '#api/query-client.ts'
import { compareTerm } from '#features/conditions/condition-terms.ts'
import { PreviewFacts } from '#features/lists/preview-facts.tsx'
import { count } from '#lib/numbers.ts'
import { LoadError } from '#ui/load-error.tsx'
import { PreviewPanel } from '#ui/preview-panel.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { Time } from '#ui/time.tsx'
import { StatusBadge } from '../status-badge.tsx'
import { SeverityBadge } from './check-columns.tsx'

interface CheckPreviewProps {
  readonly id: string
  readonly onClose: () => void
}

/** A check beside its list: what it found, and what to do. */
export function CheckPreview({ id, onClose }: CheckPreviewProps) {
  const { data, error, refetch } = useQuery(
    q(CheckListDocument, { where: compareTerm('id', [id]), sort: null, first: 1, offset: 0 }),
  )
  const [check] = data?.checks.items ?? []
  return (
    <PreviewPanel
      title={check?.title ?? 'Check'}
      actions={
        check && (
          <Button
            variant="default"
            renderRoot={(props) => (
              <Link to="/compliance/checks/$checkId" params={{ checkId: id }} {...props} />
            )}
          >
            Open
          </Button>
        )
      }
      onClose={onClose}
    >
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonBlock label="Loading the check" />}
      {data && !check && <p>There is no such check any more.</p>}
      {check && <Content check={check} />}
    </PreviewPanel>
  )
}

function Content({ check }: { readonly check: CheckRow }) {
  const { status, severity, sentence, next, judgedAt, isOwn, copiedFrom, frameworks, controls } = check
  return (
    <>
      <p>{sentence}</p>
      {next !== '' && (
        <p>
          <strong>What to do next:</strong> {next}
        </p>
      )}
      <PreviewFacts
        facts={[
          { title: 'Status', value: <StatusBadge status={status} /> },
          { title: 'Severity', value: <SeverityBadge severity={severity} /> },
          { title: 'Judged', value: judgedAt !== null && <Time at={judgedAt} /> },
          { title: 'Written by', value: isOwn ? 'your organisation' : 'the product' },
          ...(copiedFrom === null ? [] : [{ title: 'Copied from', value: copiedFrom }]),
          { title: 'Frameworks', value: frameworks.join(', ') },
          { title: 'Controls', value: count(controls) },
        ]}
      />
    </>
  )
}
