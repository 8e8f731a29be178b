import { Alert, Button, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import {
  ArchiveFlowDocument,
  FlowDocument,
  SetFlowEnabledDocument,
  type FlowRow,
  type FlowVersionRow,
} from '#api/generated/flows.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { Page } from '#ui/page.tsx'
import { Panel } from '#ui/panel.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { ApprovalsPanel } from './approvals/approvals-panel.tsx'
import { BackTestPanel } from './back-test-result.tsx'
import { FlowDefinitionForm } from './flow-definition-form.tsx'
import { FlowRunsPanel } from './flow-runs-panel.tsx'
import type { Definition } from './flow-sentence.ts'
import { FlowState } from './flow-state.tsx'
import { FlowSteps } from './flow-steps.tsx'
import { FlowMapView } from './map/flow-map.tsx'
import { HookPanel } from './hooks/hook-panel.tsx'
import { PublishFlowDialog } from './publish-flow-dialog.tsx'
import { StartFlowDialog } from './start/start-flow-dialog.tsx'

const RUNS_SHOWN = 50
const REFRESH_MS = 4_000
const STEPS_OF_A_SHORT_FLOW = 5

/** One flow: what it does, whether it may, and what it has done. */
export function FlowPage() {
  const { flowId } = useParams({ from: '/app/flows/$flowId' })
  const { data, error, refetch } = useQuery({
    ...q(FlowDocument, { id: flowId, first: RUNS_SHOWN }),
    refetchInterval: REFRESH_MS,
  })
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
          <ApprovalsPanel flowId={flow.id} />
          <AddressPanel flow={flow} newest={data.flowVersions[0]} />
          <VersionPanel flow={flow} versions={data.flowVersions} />
          {data.flowVersions[0]?.state === 'draft' && <BackTestPanel flowId={flow.id} />}
          <FlowRunsPanel flowId={flow.id} runs={data.flowRuns} />
        </>
      )}
    </Page>
  )
}

interface AddressPanelProps {
  readonly flow: FlowRow
  readonly newest: FlowVersionRow | undefined
}

/** Absent unless the newest version is started by a webhook. */
function AddressPanel({ flow, newest }: AddressPanelProps) {
  const trigger = (newest?.definition as Definition | undefined)?.trigger
  return trigger?.kind === 'webhook' ? <HookPanel flow={flow} trigger={trigger} /> : null
}

function FlowSwitch({
  flow: { id, enabled, pausedReason, publishedVersion, triggerKind },
}: {
  readonly flow: FlowRow
}) {
  const may = usePermission()
  const change = useChange(SetFlowEnabledDocument, {
    done: ({ setFlowEnabled }) => (setFlowEnabled.enabled ? 'Flow switched on' : 'Flow switched off'),
  })
  return (
    <Panel>
      {pausedReason !== null && <Paused reason={pausedReason} />}
      <Switch
        label="On"
        description={
          publishedVersion === null
            ? 'Publish the draft first.'
            : pausedReason === null
              ? HOW_STARTED[triggerKind === 'manual' ? 'manual' : 'other']
              : 'A guard switched it off.'
        }
        checked={enabled}
        disabled={!may('flows:write') || publishedVersion === null || change.isPending}
        onChange={({ currentTarget: { checked } }) => change.mutate({ id, enabled: checked })}
      />
    </Panel>
  )
}

const HOW_STARTED = {
  manual: 'People start it by hand, whether it is on or off.',
  other: 'Its trigger starts it only while it is on.',
} as const

function Paused({ reason }: { readonly reason: string }) {
  return (
    <Alert color="red" variant="light" role="alert" mb="md" title="This flow was switched off">
      It was paused because {reason}. Look at the last run below, mend what failed, and switch it on again.
    </Alert>
  )
}

interface VersionPanelProps {
  readonly flow: FlowRow
  readonly versions: readonly FlowVersionRow[]
}

/** A map tells more than the list only where there are branches, or many steps. */
const isLong = ({ steps }: Definition): boolean =>
  steps.length > STEPS_OF_A_SHORT_FLOW || steps.some((it) => it.steps ?? it.otherwise)

function VersionPanel({ flow, versions }: VersionPanelProps) {
  const may = usePermission()
  const [isChanging, setChanging] = useState(false)
  const [isPublishing, setPublishing] = useState(false)
  const [isMapped, setMapped] = useState(false)
  const [newest] = versions
  if (!newest) return null
  const definition = newest.definition as Definition
  const isDraft = newest.state === 'draft'
  return (
    <Panel title={isDraft ? `Draft ${newest.n}` : `Version ${newest.n}`}>
      {isMapped ? <FlowMapView definition={definition} /> : <FlowSteps definition={definition} />}
      <p>
        {isLong(definition) && (
          <Button variant="default" onClick={() => setMapped(!isMapped)}>
            {isMapped ? 'Show as a list' : 'Show as a map'}
          </Button>
        )}{' '}
        {may('flows:write') && (
          <>
            <Button
              renderRoot={(props) => (
                <Link to="/flows/$flowId/edit" params={{ flowId: flow.id }} {...props} />
              )}
              variant="default"
            >
              Edit steps
            </Button>{' '}
            <Button variant="default" onClick={() => setChanging(true)}>
              Change as JSON…
            </Button>{' '}
            {isDraft && <Button onClick={() => setPublishing(true)}>Publish…</Button>}
          </>
        )}
      </p>
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
  const [isStarting, setStarting] = useState(false)
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
            <Button disabled={flow.publishedVersion === null} onClick={() => setStarting(true)}>
              Run now…
            </Button>
          )}
          <Button color="red" variant="light" onClick={() => setArchiving(true)}>
            Archive…
          </Button>
        </>
      )}
      {isStarting && <StartFlowDialog flow={flow} onClose={() => setStarting(false)} />}
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
