import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { RerunFlowDocument } from '#api/generated/editor.ts'
import {
  CancelFlowRunDocument,
  FlowDocument,
  FlowRunDocument,
  type FlowRunData,
} from '#api/generated/flows.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { sentenceCase } from '#lib/sentence-case.ts'
import { Badge } from '#ui/badge.tsx'
import { JsonBlock } from '#ui/json-block.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { Page } from '#ui/page.tsx'
import { Panel } from '#ui/panel.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { Time } from '#ui/time.tsx'
import { ApprovalsPanel } from './approvals/approvals-panel.tsx'
import { stepAt } from './editor/step-tree.ts'
import { causeText, stepSentence, type Definition, type Step } from './flow-sentence.ts'
import { RunState, type RunStatus } from './flow-state.tsx'
import styles from './flow-steps.module.css'

type Run = FlowRunData['flowRun']
type RunStep = Run['steps'][number]

const REFRESH_MS = 2_000

/** One run: what its steps were given, did and gave, in their order. */
export function FlowRunPage() {
  const { flowId, runId } = useParams({ from: '/app/flows/$flowId/runs/$runId' })
  const flow = useQuery(q(FlowDocument, { id: flowId, first: 1 }))
  const { data, error, refetch } = useQuery({
    ...q(FlowRunDocument, { id: runId }),
    refetchInterval: ({ state }) => (state.data && isOpen(state.data.flowRun) ? REFRESH_MS : false),
  })
  const run = data?.flowRun
  const definition = flow.data?.flowVersions.find(({ n }) => n === run?.version)?.definition as
    | Definition
    | undefined
  return (
    <Page
      title={flow.data ? `Run of ${flow.data.flow.name}` : 'Run'}
      aside={run && <RunState status={run.status as RunStatus} />}
      description={run?.reason}
      actions={<RunActions flowId={flowId} run={run} />}
    >
      {error ? <LoadError error={error} onRetry={() => void refetch()} /> : null}
      {!error && !run && <SkeletonBlock />}
      {run && (
        <>
          <ApprovalsPanel runId={run.id} />
          <RunFacts run={run} />
          <Panel title="Steps">
            {run.steps.length === 0 ? (
              <p className="quiet">No step has been done.</p>
            ) : (
              <ol className={styles['steps']}>
                {run.steps.map((step) => (
                  <li key={`${step.path} ${step.item} ${step.startedAt}`} className={styles['card']}>
                    <StepRecord {...{ flowId, run, step, definition }} />
                  </li>
                ))}
              </ol>
            )}
          </Panel>
        </>
      )}
    </Page>
  )
}

const isOpen = ({ status }: Pick<Run, 'status'>): boolean =>
  ['new', 'pending', 'running', 'waiting'].includes(status)

function RunActions({ flowId, run }: { readonly flowId: string; readonly run: Run | undefined }) {
  const may = usePermission()
  const cancel = useChange(CancelFlowRunDocument, { done: 'Run cancelled' })
  return (
    <>
      <Button
        variant="default"
        renderRoot={(props) => <Link to="/flows/$flowId" params={{ flowId }} {...props} />}
      >
        Flow
      </Button>
      {run && isOpen(run) && may('flows:write') && (
        <Button
          color="red"
          variant="light"
          loading={cancel.isPending}
          onClick={() => cancel.mutate({ id: run.id })}
        >
          Cancel run
        </Button>
      )}
    </>
  )
}

function RunFacts({ run }: { readonly run: Run }) {
  const { version, cause, assetId, assetName, createdAt, startedAt, finishedAt } = run
  return (
    <Panel title="Run">
      <dl className={styles['facts']}>
        <dt>Version</dt>
        <dd>{version}</dd>
        <dt>Why it began</dt>
        <dd>{causeText({ cause })}</dd>
        <dt>Asset</dt>
        <dd>
          {assetId === null ? (
            'none'
          ) : (
            <Link to="/assets/$assetId" params={{ assetId }}>
              {assetName || 'an asset that is gone'}
            </Link>
          )}
        </dd>
        <dt>Asked for</dt>
        <dd>
          <Time at={createdAt} />
        </dd>
        <dt>Begun</dt>
        <dd>{startedAt === null ? 'not yet' : <Time at={startedAt} />}</dd>
        <dt>Ended</dt>
        <dd>{finishedAt === null ? 'not yet' : <Time at={finishedAt} />}</dd>
        <EarlierRuns run={run} />
      </dl>
    </Panel>
  )
}

/** The run that led to it, and the one that it repeats. */
function EarlierRuns({ run: { flowId, causedBy, rerunOf } }: { readonly run: Run }) {
  return (
    <>
      {causedBy !== null && (
        <>
          <dt>Caused by</dt>
          <dd>
            <Link to="/flows/$flowId/runs/$runId" params={{ flowId: causedBy.flowId, runId: causedBy.runId }}>
              a run of {causedBy.flowName || 'a flow that is gone'}
            </Link>
            {causedBy.depth > 1 && `, the last of ${causedBy.depth} flows in a row`}
          </dd>
        </>
      )}
      {rerunOf !== null && (
        <>
          <dt>Repeats</dt>
          <dd>
            <Link to="/flows/$flowId/runs/$runId" params={{ flowId, runId: rerunOf }}>
              an earlier run
            </Link>
          </dd>
        </>
      )}
    </>
  )
}

interface StepRecordProps {
  readonly flowId: string
  readonly run: Run
  readonly step: RunStep
  /** Of the version that ran, while it can be read. */
  readonly definition: Definition | undefined
}

/** With the texts that the step was given, where they are in its log. */
function sentenceOf({ action, input }: RunStep, defined: Step | undefined): string {
  const given = isRecord(input) ? { with: { ...defined?.with, ...input } } : {}
  return stepSentence({ ...(defined ?? { action }), ...given })
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const STEP_BADGES = {
  done: { tone: 'good', sign: '✓' },
  failed: { tone: 'bad', sign: '×' },
  retrying: { tone: 'warn', sign: '!' },
} as const

function StepRecord({ flowId, run, step, definition }: StepRecordProps) {
  const may = usePermission()
  const navigate = useNavigate()
  const rerun = useChange(RerunFlowDocument, {
    done: 'A new run began there',
    onDone: ({ rerunFlow: runId }) =>
      void navigate({ to: '/flows/$flowId/runs/$runId', params: { flowId, runId } }),
  })
  const defined = definition && stepAt(definition, step.path)
  return (
    <>
      <div className={styles['head']}>
        <strong>{sentenceOf(step, defined)}</strong>
        <Badge {...STEP_BADGES[step.status as keyof typeof STEP_BADGES]}>{sentenceCase(step.status)}</Badge>
      </div>
      <p className="quiet">
        <code>{step.path}</code>
        {step.item !== '' && ` item ${step.item}`}, <Time at={step.startedAt} />, {step.ms} ms
      </p>
      {step.fault !== null && <p className={styles['fault']}>{step.fault}</p>}
      <JsonBlock
        label={`What ${step.path} was given and gave`}
        value={{ input: step.input, output: step.output }}
      />
      {!isOpen(run) && step.item === '' && may('flows:write') && (
        <div>
          <Button
            size="compact-xs"
            variant="default"
            loading={rerun.isPending}
            onClick={() => rerun.mutate({ runId: run.id, path: step.path })}
          >
            Run again from here
          </Button>
        </div>
      )}
    </>
  )
}
