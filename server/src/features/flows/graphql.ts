import {
  given,
  pageArgs,
  pageFrom,
  pageType,
  perItem,
  type Schema,
  type TypeOf,
} from '#platform/graphql/schema.ts'
import { actions } from './actions/all.ts'
import type { Action } from './actions/action.ts'
import { triggerKinds, versionStates, type Flow, type FlowVersion } from './flow.ts'
import {
  archiveFlow,
  cancelRun,
  createFlow,
  getFlow,
  getRun,
  listFlows,
  listRuns,
  listVersions,
  publishFlow,
  setFlowEnabled,
  startFlow,
  testFlow,
  updateFlow,
} from './flows.ts'
import { readyFlows, type ReadyFlow } from './ready-flows.ts'
import { runStatuses, type FlowRun, type RunStep } from './running/run.ts'
import type { TestRun, TestStep } from './running/test-run.ts'

interface FlowTypes {
  readonly flow: TypeOf<Flow>
  readonly run: TypeOf<FlowRun>
}

export function graphql(schema: Schema): void {
  const types = addTypes(schema)
  addQueries(schema, types)
  addWriting(schema, types)
  addRunning(schema, types)
}

function addTypes(schema: Schema): FlowTypes {
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
      publishedVersion: t.exposeInt('publishedVersion', {
        nullable: true,
        description: 'Null: never published.',
      }),
      lastTriggeredAt: t.expose('lastTriggeredAt', { type: 'DateTime', nullable: true }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    }),
  })
  const run = schema.objectRef<FlowRun>('FlowRun').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      flowId: t.exposeID('flowId'),
      version: t.exposeInt('version'),
      status: t.expose('status', { type: status }),
      cause: t.exposeString('cause', { description: 'An event type, schedule or manual.' }),
      assetId: t.exposeID('assetId', { nullable: true }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      startedAt: t.expose('startedAt', { type: 'DateTime', nullable: true }),
      finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true }),
      reason: t.exposeString('reason', {
        nullable: true,
        description: 'Why it failed, or which guard skipped it.',
      }),
    }),
  })
  return { flow, run }
}

function versionType(schema: Schema): TypeOf<FlowVersion> {
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

function detailType(schema: Schema): TypeOf<FlowRun & { readonly steps: readonly RunStep[] }> {
  const step = schema.objectRef<RunStep>('FlowRunStep').implement({
    fields: (t) => ({
      path: t.exposeString('path', { description: 'Where it stands in the definition.' }),
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
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      startedAt: t.expose('startedAt', { type: 'DateTime', nullable: true }),
      finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true }),
      reason: t.exposeString('reason', { nullable: true }),
      steps: t.field({ type: [step], resolve: ({ steps }) => [...steps] }),
    }),
  })
}

function testType(schema: Schema): TypeOf<TestRun> {
  const step = schema.objectRef<TestStep>('FlowTestStep').implement({
    fields: (t) => ({
      path: t.exposeString('path'),
      action: t.exposeString('action'),
      input: t.field({ type: 'JSON', nullable: true, resolve: ({ input }) => input }),
      output: t.field({ type: 'JSON', nullable: true, resolve: ({ output }) => output }),
      fault: t.exposeString('fault', { nullable: true }),
    }),
  })
  return schema.objectRef<TestRun>('FlowTest').implement({
    fields: (t) => ({
      matches: t.exposeBoolean('matches', { description: "Whether the flow's own condition lets it run." }),
      steps: t.field({ type: [step], resolve: ({ steps }) => [...steps] }),
    }),
  })
}

function actionType(schema: Schema): TypeOf<Action> {
  return schema.objectRef<Action>('FlowAction').implement({
    fields: (t) => ({
      name: t.exposeString('name'),
      sentence: t.exposeString('sentence'),
      settings: t.field({ type: 'JSON', description: 'A JSON schema.', resolve: ({ settings }) => settings }),
      needsAsset: t.boolean({ resolve: ({ needsAsset }) => needsAsset === true }),
    }),
  })
}

function readyType(schema: Schema): TypeOf<ReadyFlow> {
  return schema.objectRef<ReadyFlow>('ReadyFlow').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.exposeString('name'),
      description: t.exposeString('description'),
      definition: t.field({ type: 'JSON', resolve: ({ definition }) => definition }),
    }),
  })
}

const byId = (schema: Schema) => schema.args((t) => ({ id: t.id({ required: true }) }))

function addQueries(schema: Schema, { flow, run }: FlowTypes): void {
  const version = versionType(schema)
  const detail = detailType(schema)
  const action = actionType(schema)
  const ready = readyType(schema)
  const page = pageType(schema, 'FlowPage', flow)
  const runPage = pageType(schema, 'FlowRunPage', run)
  schema.queryFields((t) => ({
    flows: t.field({
      type: page,
      description: 'Newest first.',
      args: pageArgs(schema),
      complexity: perItem,
      resolve: (_, args, ctx) => listFlows(ctx, pageFrom(args)),
    }),
    flow: t.field({ type: flow, args: byId(schema), resolve: (_, { id }, ctx) => getFlow(ctx, id) }),
    flowVersions: t.field({
      type: [version],
      description: 'Newest first.',
      args: byId(schema),
      resolve: (_, { id }, ctx) => listVersions(ctx, id),
    }),
    flowRuns: t.field({
      type: runPage,
      description: 'Newest first, with those that a guard skipped.',
      args: { flowId: t.arg.id({ required: true }), ...pageArgs(schema) },
      complexity: perItem,
      resolve: (_, { flowId, ...args }, ctx) => listRuns(ctx, flowId, pageFrom(args)),
    }),
    flowRun: t.field({ type: detail, args: byId(schema), resolve: (_, { id }, ctx) => getRun(ctx, id) }),
    readyFlows: t.field({
      type: [ready],
      description: 'What a new flow can begin with.',
      resolve: () => [...readyFlows],
    }),
    flowActions: t.field({
      type: [action],
      description: 'What a step can do.',
      resolve: () => [...actions.values()],
    }),
  }))
}

function addWriting(schema: Schema, { flow }: FlowTypes): void {
  schema.mutationFields((t) => ({
    createFlow: t.field({
      type: flow,
      description: 'With its first draft.',
      args: {
        name: t.arg.string({ required: true }),
        description: t.arg.string(),
        definition: t.arg({ type: 'JSON', required: true }),
      },
      resolve: (_, { name, definition, ...more }, ctx) =>
        createFlow(ctx, { name, definition, ...given(more) }),
    }),
    updateFlow: t.field({
      type: flow,
      description: 'What is left out stays. A definition becomes the draft.',
      args: {
        ...byId(schema),
        name: t.arg.string(),
        description: t.arg.string(),
        definition: t.arg({ type: 'JSON' }),
      },
      resolve: (_, { id, ...changes }, ctx) => updateFlow(ctx, id, given(changes)),
    }),
    publishFlow: t.field({
      type: flow,
      description:
        'The draft becomes what runs do, with the permissions of who publishes it; the flow is off.',
      args: byId(schema),
      resolve: (_, { id }, ctx) => publishFlow(ctx, id),
    }),
    setFlowEnabled: t.field({
      type: flow,
      args: { ...byId(schema), enabled: t.arg.boolean({ required: true }) },
      resolve: (_, { id, enabled }, ctx) => setFlowEnabled(ctx, id, enabled),
    }),
    archiveFlow: t.field({
      type: 'ID',
      args: byId(schema),
      resolve: (_, { id }, ctx) => archiveFlow(ctx, id).then(() => id),
    }),
  }))
}

function addRunning(schema: Schema, { run }: FlowTypes): void {
  const test = testType(schema)
  schema.mutationFields((t) => ({
    startFlow: t.field({
      type: 'Int',
      description: 'One run for each asset, or one about none. Answers how many were started.',
      args: { ...byId(schema), assetIds: t.arg.idList() },
      resolve: (_, { id, assetIds }, ctx) => startFlow(ctx, id, assetIds ?? []),
    }),
    testFlow: t.field({
      type: test,
      description:
        'What the newest version would do for the asset; everything is undone and nothing is sent.',
      args: { ...byId(schema), assetId: t.arg.id() },
      resolve: (_, { id, assetId }, ctx) => testFlow(ctx, id, assetId ?? null),
    }),
    cancelFlowRun: t.field({
      type: run,
      args: byId(schema),
      resolve: (_, { id }, ctx) => cancelRun(ctx, id),
    }),
  }))
}
