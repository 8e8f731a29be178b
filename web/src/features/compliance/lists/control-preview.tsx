import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ControlListDocument, type ListedControlRow } from '#api/generated/compliance-lists.ts'
import { q } from '#api/query-client.ts'
import { compareTerm } from '#features/conditions/condition-terms.ts'
import { PreviewFacts } from '#features/lists/preview-facts.tsx'
import { count } from '#lib/numbers.ts'
import { LoadError } from '#ui/load-error.tsx'
import { PreviewPanel } from '#ui/preview-panel.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { Time } from '#ui/time.tsx'
import { StatusBadge } from '../status-badge.tsx'
import { controlName } from './control-columns.tsx'

interface ControlPreviewProps {
  readonly id: string
  readonly onClose: () => void
}

/** A control beside its list: why it has its status. */
export function ControlPreview({ id, onClose }: ControlPreviewProps) {
  const { data, error, refetch } = useQuery(
    q(ControlListDocument, { where: compareTerm('id', [id]), sort: null, first: 1, offset: 0 }),
  )
  const [control] = data?.controls.items ?? []
  return (
    <PreviewPanel
      title={control ? controlName(control) : 'Control'}
      actions={control && <OpenButton control={control} />}
      onClose={onClose}
    >
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonBlock label="Loading the control" />}
      {data && !control && <p>Its framework is not adopted any more.</p>}
      {control && <Content control={control} />}
    </PreviewPanel>
  )
}

const OpenButton = ({ control: { framework, controlId } }: { readonly control: ListedControlRow }) => (
  <Button
    variant="default"
    renderRoot={(props) => (
      <Link to="/compliance/$framework/controls/$controlId" params={{ framework, controlId }} {...props} />
    )}
  >
    Open
  </Button>
)

const Content = ({ control }: { readonly control: ListedControlRow }) => (
  <>
    {control.why.map((reason) => (
      <p key={reason}>{reason}</p>
    ))}
    <PreviewFacts
      facts={[
        { title: 'Status', value: <StatusBadge status={control.status} /> },
        { title: 'Since', value: control.since !== null && <Time at={control.since} /> },
        {
          title: 'Framework',
          value: (
            <Link to="/compliance/$framework" params={{ framework: control.framework }}>
              {control.frameworkTitle}
            </Link>
          ),
        },
        { title: 'Section', value: control.parentId },
        { title: 'Checks', value: count(control.checks) },
      ]}
    />
  </>
)
