import type { EnumOf, Schema, TypeOf } from '#platform/graphql/schema.ts'
import { summaryOf } from '../definition/summary.ts'
import { triggerKinds, versionStates, type Flow, type FlowVersion } from '../flow.ts'
import { runStatuses, type FlowRun, type RunCause, type RunStatus, type RunStep } from '../running/run.ts'
import type { TestRun, TestStep } from '../running/test-run.ts'

export interface FlowTypes {
  readonly flow: TypeOf<Flow>
  readonly run: TypeOf<FlowRun>
  readonly cause: TypeOf<RunCause>
}

const CAUSED_BY = 'The run of a flow whose steps led to this one; null: none did.'

export function flowTypes(schema: Schema): FlowTypes {
  const kind = schema.enumType('FlowTriggerKind', { values: triggerKinds })
  const status = schema.enumType('FlowRunStatus', { values: runStatuses })
  const flow = schema.objectRef<Flow>('Flow').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.exposeString('name'),
      description: t.exposeString('description'),
      enabled: t.exposeBoolean('enabled'),
      pausedReason: t.exposeString('pausedReason', {
        nullable: true,
        description: 'Why a guard switched it off.',
      }),
      triggerKind: t.expose('triggerKind', { type: kind }),
      summary: t.string({
        description: 'What it does in one sentence: as published, else as drafted.',
        resolve: ({ definition }) => summaryOf(definition),
      }),
      definition: t.field({
        type: 'JSON',
        description: 'What the summary is about: as published, else as drafted.',
        resolve: ({ definition }) => definition,
      }),
      publishedVersion: t.exposeInt('publishedVersion', {
        nullable: true,
        description: 'Null: never published.',
      }),
      lastTriggeredAt: t.expose('lastTriggeredAt', { type: 'DateTime', nullable: true }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    }),
  })
  const cause = causeType(schema)
  return { flow, run: runType(schema, status, cause), cause }
}

const runType = (schema: Schema, status: EnumOf<RunStatus>, cause: TypeOf<RunCause>): TypeOf<FlowRun> =>
  schema.objectRef<FlowRun>('FlowRun').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      flowId: t.exposeID('flowId'),
      flowName: t.exposeString('flowName', { description: 'Empty: the flow is no more.' }),
      version: t.exposeInt('version'),
      status: t.expose('status', { type: status }),
      cause: t.exposeString('cause', { description: 'An event type, schedule, manual, webhook or query.' }),
      assetId: t.exposeID('assetId', { nullable: true }),
      assetName: t.exposeString('assetName', { description: 'Empty: about none, or it is gone.' }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      startedAt: t.expose('startedAt', { type: 'DateTime', nullable: true }),
      finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true }),
      reason: t.exposeString('reason', {
        nullable: true,
        description: 'Why it failed, or which guard skipped it.',
      }),
      rerunOf: t.exposeID('rerunOf', { nullable: true, description: 'The run that it repeats.' }),
      causedBy: t.expose('causedBy', { type: cause, nullable: true, description: CAUSED_BY }),
    }),
  })

export function versionType(schema: Schema): TypeOf<FlowVersion> {
  const state = schema.enumType('FlowVersionState', { values: versionStates })
  return schema.objectRef<FlowVersion>('FlowVersion').implement({
    fields: (t) => ({
      n: t.exposeInt('n'),
      state: t.expose('state', { type: state }),
      definition: t.field({ type: 'JSON', resolve: ({ definition }) => definition }),
      runAs: t.exposeID('runAs', {
        nullable: true,
        description: 'The person with whose permissions it runs.',
      }),
      publishedAt: t.expose('publishedAt', { type: 'DateTime', nullable: true }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
    }),
  })
}

function causeType(schema: Schema): TypeOf<RunCause> {
  return schema.objectRef<RunCause>('FlowRunCause').implement({
    fields: (t) => ({
      runId: t.exposeID('runId'),
      flowId: t.exposeID('flowId'),
      flowName: t.exposeString('flowName', { description: 'Empty: the flow is gone.' }),
      depth: t.exposeInt('depth', { description: 'How many flows led here, one after the other.' }),
    }),
  })
}

export function detailType(
  schema: Schema,
  { cause }: FlowTypes,
): TypeOf<FlowRun & { readonly steps: readonly RunStep[] }> {
  const step = schema.objectRef<RunStep>('FlowRunStep').implement({
    fields: (t) => ({
      path: t.exposeString('path', { description: 'Where it stands in the definition.' }),
      item: t.exposeString('item', { description: 'Of for_each, such as 3 or 3.1; else empty.' }),
      action: t.exposeString('action'),
      status: t.exposeString('status', { description: 'done, failed or retrying' }),
      startedAt: t.expose('startedAt', { type: 'DateTime' }),
      ms: t.exposeInt('ms'),
      input: t.field({ type: 'JSON', nullable: true, resolve: ({ input }) => input }),
      output: t.field({ type: 'JSON', nullable: true, resolve: ({ output }) => output }),
      fault: t.exposeString('fault', { nullable: true }),
    }),
  })
  return schema.objectRef<FlowRun & { readonly steps: readonly RunStep[] }>('FlowRunDetail').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      flowId: t.exposeID('flowId'),
      version: t.exposeInt('version'),
      status: t.exposeString('status'),
      cause: t.exposeString('cause'),
      assetId: t.exposeID('assetId', { nullable: true }),
      assetName: t.exposeString('assetName', { description: 'Empty: about none, or it is gone.' }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      startedAt: t.expose('startedAt', { type: 'DateTime', nullable: true }),
      finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true }),
      reason: t.exposeString('reason', { nullable: true }),
      rerunOf: t.exposeID('rerunOf', { nullable: true }),
      causedBy: t.expose('causedBy', { type: cause, nullable: true, description: CAUSED_BY }),
      steps: t.field({ type: [step], resolve: ({ steps }) => [...steps] }),
    }),
  })
}

export function testType(schema: Schema): TypeOf<TestRun> {
  const step = schema.objectRef<TestStep>('FlowTestStep').implement({
    fields: (t) => ({
      path: t.exposeString('path'),
      item: t.exposeString('item'),
      action: t.exposeString('action'),
      input: t.field({ type: 'JSON', nullable: true, resolve: ({ input }) => input }),
      output: t.field({ type: 'JSON', nullable: true, resolve: ({ output }) => output }),
      fault: t.exposeString('fault', { nullable: true }),
    }),
  })
  return schema.objectRef<TestRun>('FlowTest').implement({
    fields: (t) => ({
      matches: t.exposeBoolean('matches', { description: "Whether the flow's own condition lets it run." }),
      wouldChange: t.field({
        type: 'WouldChange' as never,
        description: 'What all steps together would change.',
        resolve: ({ wouldChange }) => wouldChange as never,
      }),
      steps: t.field({ type: [step], resolve: ({ steps }) => [...steps] }),
    }),
  })
}
