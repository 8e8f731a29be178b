import type { Schema, TypeOf } from '#platform/graphql/schema.ts'
import type { BackTest, BackTestResult, BackTestRun } from '../back-test/back-test.ts'
import { getBackTest, latestBackTest, startBackTest } from '../back-test/back-tests.ts'
import { exportFlow, importFlow } from '../export-flow.ts'
import type { Flow } from '../flow.ts'
import { createReadyFlow, offeredReadyFlows, type ReadyFlow } from '../ready-flows.ts'

export function addBackTests(schema: Schema, flow: TypeOf<Flow>): void {
  const test = backTestType(schema)
  const created = createdType(schema, flow, test)
  addBackTestQueries(schema, test)
  schema.mutationFields((t) => ({
    startFlowBackTest: t.field({
      type: test,
      description: 'What the newest version, or a definition, would have run for in the last days; a job.',
      args: { flowId: t.arg.id(), definition: t.arg({ type: 'JSON' }), days: t.arg.int() },
      resolve: (_, { flowId, definition, days }, ctx) =>
        startBackTest(ctx, {
          flowId: flowId ?? undefined,
          definition: definition ?? undefined,
          days: days ?? undefined,
        }),
    }),
    createReadyFlow: t.field({
      type: created,
      description: 'A draft, and a back-test of it.',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => createReadyFlow(ctx, id),
    }),
    importFlow: t.field({
      type: flow,
      description: 'An exported flow, as a draft.',
      args: { file: t.arg({ type: 'JSON', required: true }) },
      resolve: (_, { file }, ctx) => importFlow(ctx, file),
    }),
  }))
}

function addBackTestQueries(schema: Schema, test: TypeOf<BackTest>): void {
  const ready = readyType(schema)
  schema.queryFields((t) => ({
    flowBackTest: t.field({
      type: test,
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => getBackTest(ctx, id),
    }),
    latestFlowBackTest: t.field({
      type: test,
      nullable: true,
      description: 'The newest of a flow, of whatever version; null: there was none within a week.',
      args: { flowId: t.arg.id({ required: true }) },
      resolve: (_, { flowId }, ctx) => latestBackTest(ctx, flowId),
    }),
    readyFlows: t.field({
      type: [ready],
      description: 'What a new flow can begin with; each once the tenant has what it would run for.',
      resolve: (_, __, ctx) => offeredReadyFlows(ctx),
    }),
    exportFlow: t.field({
      type: 'JSON',
      description: 'The newest version as a file, secrets by name alone.',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => exportFlow(ctx, id),
    }),
  }))
}

interface CreatedReadyFlow {
  readonly flow: Flow
  readonly backTest: BackTest
}

function createdType(
  schema: Schema,
  flow: TypeOf<Flow>,
  backTest: TypeOf<BackTest>,
): TypeOf<CreatedReadyFlow> {
  return schema.objectRef<CreatedReadyFlow>('CreatedReadyFlow').implement({
    fields: (t) => ({
      flow: t.field({ type: flow, resolve: (it) => it.flow }),
      backTest: t.field({ type: backTest, resolve: (it) => it.backTest }),
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

function backTestType(schema: Schema): TypeOf<BackTest> {
  const result = resultType(schema)
  const status = schema.enumType('FlowBackTestStatus', {
    values: ['running', 'completed', 'failed'] as const,
  })
  return schema.objectRef<BackTest>('FlowBackTest').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      flowId: t.exposeID('flowId', { nullable: true }),
      days: t.exposeInt('days'),
      status: t.expose('status', { type: status }),
      total: t.exposeInt('total', { description: 'Events to look at.' }),
      done: t.exposeInt('done'),
      result: t.field({ type: result, nullable: true, resolve: (it) => it.result }),
      message: t.exposeString('message', { description: 'Why it failed.' }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true }),
    }),
  })
}

function resultType(schema: Schema): TypeOf<BackTestResult> {
  const run = schema.objectRef<BackTestRun>('FlowBackTestRun').implement({
    fields: (t) => ({
      at: t.expose('at', { type: 'DateTime' }),
      eventId: t.exposeString('eventId'),
      assetId: t.exposeID('assetId', { nullable: true }),
      assetName: t.exposeString('assetName'),
    }),
  })
  const skip = schema.objectRef<BackTestResult['skipped'][number]>('FlowBackTestSkip').implement({
    fields: (t) => ({ guard: t.exposeString('guard'), count: t.exposeInt('count') }),
  })
  return schema.objectRef<BackTestResult>('FlowBackTestResult').implement({
    fields: (t) => ({
      runs: t.exposeInt('runs'),
      skipped: t.field({ type: [skip], resolve: ({ skipped }) => [...skipped] }),
      assets: t.exposeInt('assets', { description: 'Different ones that the runs are about.' }),
      sample: t.field({
        type: [run],
        description: 'The first 1,000 runs.',
        resolve: ({ sample }) => [...sample],
      }),
      summary: t.exposeString('summary'),
      note: t.exposeString('note', { description: 'Why it says less than it could; empty: it says all.' }),
    }),
  })
}
