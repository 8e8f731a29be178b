import { Button, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import {
  ArchiveFlowDocument,
  FlowDocument,
  SetFlowEnabledDocument,
  StartFlowDocument,
  type FlowRow,
  type FlowVersionRow,
} from '#api/generated/operations.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { Page } from '#ui/page.tsx'
import { Panel } from '#ui/panel.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { FlowDefinitionForm } from './flow-definition-form.tsx'
import { FlowRunsPanel } from './flow-runs-panel.tsx'
import type { Definition } from './flow-sentence.ts'
import { FlowState } from './flow-state.tsx'
import { FlowSteps } from './flow-steps.tsx'
import { PublishFlowDialog } from './publish-flow-dialog.tsx'

const RUNS_SHOWN = 50

/** One flow: what it does, whether it may, and what it has done. */
export function FlowPage() {
  const { flowId } = useParams({ from: '/app/flows/$flowId' })
  const { data, error, refetch } = useQuery(q(FlowDocument, { id: flowId, first: RUNS_SHOWN }))
  const flow = data?.flow
  return (
    <Page
      title={flow?.name ?? 'Flow'}
      aside={flow && <FlowState {...flow} />}
      description={flow?.description}
      actions={flow && <FlowActions flow={flow} />}
    >
      {error ? <LoadError error={error} onRetry={() => void refetch()} /> : null}
      {!error && !data && <SkeletonBlock />}
      {data && flow && (
        <>
          <FlowSwitch flow={flow} />
          <VersionPanel flow={flow} versions={data.flowVersions} />
          <FlowRunsPanel flowId={flow.id} runs={data.flowRuns} />
        </>
      )}
    </Page>
  )
}

function FlowSwitch({ flow: { id, enabled, pausedReason, publishedVersion } }: { readonly flow: FlowRow }) {
  const may = usePermission()
  const change = useChange(SetFlowEnabledDocument, {
    done: ({ setFlowEnabled }) => (setFlowEnabled.enabled ? 'Flow switched on' : 'Flow switched off'),
  })
  return (
    <Panel>
      <Switch
        label="On"
        description={
          publishedVersion === null
            ? 'Publish the draft first.'
            : pausedReason === null
              ? 'Its trigger starts it only while it is on.'
              : `It was switched off because ${pausedReason}.`
        }
        checked={enabled}
        disabled={!may('flows:write') || publishedVersion === null || change.isPending}
        onChange={({ currentTarget: { checked } }) => change.mutate({ id, enabled: checked })}
      />
    </Panel>
  )
}

interface VersionPanelProps {
  readonly flow: FlowRow
  readonly versions: readonly FlowVersionRow[]
}

function VersionPanel({ flow, versions }: VersionPanelProps) {
  const may = usePermission()
  const [isChanging, setChanging] = useState(false)
  const [isPublishing, setPublishing] = useState(false)
  const [newest] = versions
  if (!newest) return null
  const isDraft = newest.state === 'draft'
  return (
    <Panel title={isDraft ? `Draft ${newest.n}` : `Version ${newest.n}`}>
      <FlowSteps definition={newest.definition as Definition} />
      {may('flows:write') && (
        <p>
          <Button
            renderRoot={(props) => <Link to="/flows/$flowId/edit" params={{ flowId: flow.id }} {...props} />}
            variant="default"
          >
            Edit steps
          </Button>{' '}
          <Button variant="default" onClick={() => setChanging(true)}>
            Change as JSON…
          </Button>{' '}
          {isDraft && <Button onClick={() => setPublishing(true)}>Publish…</Button>}
        </p>
      )}
      {isPublishing && <PublishFlowDialog flowId={flow.id} onClose={() => setPublishing(false)} />}
      {isChanging && (
        <FlowDefinitionForm
          flowId={flow.id}
          definition={newest.definition}
          onClose={() => setChanging(false)}
        />
      )}
    </Panel>
  )
}

function FlowActions({ flow }: { readonly flow: FlowRow }) {
  const may = usePermission()
  const navigate = useNavigate()
  const [isArchiving, setArchiving] = useState(false)
  const start = useChange(StartFlowDocument, { done: 'Started' })
  const archive = useChange(ArchiveFlowDocument, {
    done: 'Flow archived',
    onDone: () => void navigate({ to: '/flows' }),
  })
  return (
    <>
      <Button variant="default" renderRoot={(props) => <Link to="/flows" {...props} />}>
        Flows
      </Button>
      {may('flows:write') && (
        <>
          {flow.triggerKind === 'manual' && (
            <Button disabled={flow.publishedVersion === null} onClick={() => start.mutate({ id: flow.id })}>
              Run now
            </Button>
          )}
          <Button color="red" variant="light" onClick={() => setArchiving(true)}>
            Archive…
          </Button>
        </>
      )}
      <ConfirmDialog
        isOpen={isArchiving}
        title={`Archive ${flow.name}?`}
        action="Archive flow"
        isDestructive
        isBusy={archive.isPending}
        onConfirm={() => archive.mutate({ id: flow.id })}
        onClose={() => setArchiving(false)}
      >
        <p>It is switched off and listed no more. What its runs have done stays.</p>
      </ConfirmDialog>
    </>
  )
}
