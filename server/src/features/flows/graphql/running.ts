import {
  given,
  pageArgs,
  pageFrom,
  pageType,
  perItem,
  type Schema,
  type TypeOf,
} from '#platform/graphql/schema.ts'
import { approvalStates, decisions, type Approval } from '../approvals/approval.ts'
import { decideApproval, decideApprovals, getApproval, listApprovals } from '../approvals/approvals.ts'
import { cancelRun, rerunFrom, startFlow, testFlow } from '../flows.ts'
import { testType, type FlowTypes } from './object-types.ts'

type Json = Readonly<Record<string, unknown>>

export function addRunning(schema: Schema, { run }: FlowTypes): void {
  const test = testType(schema)
  const byId = schema.args((t) => ({ id: t.id({ required: true }) }))
  schema.mutationFields((t) => ({
    startFlow: t.field({
      type: 'Int',
      description: 'One run for each asset, at most 1,000, or one about none. Answers how many were started.',
      args: {
        ...byId,
        assetIds: t.arg.idList(),
        where: t.arg.string({ description: 'A condition on assets: those for which it holds, too.' }),
        inputs: t.arg({ type: 'JSON' }),
      },
      resolve: (_, { id, inputs, ...assets }, ctx) =>
        startFlow(ctx, id, { ...given(assets), inputs: (inputs ?? {}) as Json }),
    }),
    testFlow: t.field({
      type: test,
      description:
        'What the newest version, or the given definition, would do for the asset or an event that was; everything is undone and nothing is sent.',
      args: {
        ...byId,
        assetId: t.arg.id(),
        event: t.arg({ type: 'JSON', description: 'A payload, instead of an example.' }),
        before: t.arg({ type: 'JSON', description: 'What that event told of its asset before the change.' }),
        definition: t.arg({ type: 'JSON' }),
      },
      resolve: (_, { id, assetId, event, before, definition }, ctx) =>
        testFlow(ctx, id, {
          assetId: assetId ?? null,
          event: (event ?? undefined) as Json | undefined,
          before: (before ?? undefined) as Json | undefined,
          definition: definition ?? undefined,
        }),
    }),
    cancelFlowRun: t.field({
      type: run,
      args: byId,
      resolve: (_, { id }, ctx) => cancelRun(ctx, id),
    }),
    rerunFlow: t.field({
      type: 'ID',
      description: 'A new run with what the old one knew, from the step at `path` on, such as steps[2].',
      args: { runId: t.arg.id({ required: true }), path: t.arg.string({ required: true }) },
      resolve: (_, { runId, path }, ctx) => rerunFrom(ctx, runId, path),
    }),
  }))
}

export function addApprovals(schema: Schema): void {
  const approval = approvalType(schema)
  const page = pageType(schema, 'FlowApprovalPage', approval)
  const decision = schema.enumType('FlowApprovalDecision', { values: decisions })
  schema.queryFields((t) => ({
    flowApprovals: t.field({
      type: page,
      description: 'What runs ask of people, newest first.',
      args: {
        isOpen: t.arg.boolean({ description: 'Only what can still be answered.' }),
        flowId: t.arg.id(),
        runId: t.arg.id(),
        ...pageArgs(schema),
      },
      complexity: perItem,
      resolve: (_, { isOpen, flowId, runId, ...args }, ctx) =>
        listApprovals(ctx, pageFrom(args), given({ isOpen, flowId, runId })),
    }),
    flowApproval: t.field({
      type: approval,
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => getApproval(ctx, id),
    }),
  }))
  schema.mutationFields((t) => ({
    decideFlowApproval: t.field({
      type: approval,
      description: 'Once; the run goes on with the answer.',
      args: {
        id: t.arg.id({ required: true }),
        decision: t.arg({ type: decision, required: true }),
        note: t.arg.string(),
      },
      resolve: (_, { id, note, decision: answer }, ctx) =>
        decideApproval(ctx, id, { decision: answer, note: note ?? '' }),
    }),
    decideFlowApprovals: t.field({
      type: 'Int',
      description: 'The same answer to up to 200 requests, to all or none.',
      args: {
        ids: t.arg.idList({ required: true }),
        decision: t.arg({ type: decision, required: true }),
        note: t.arg.string(),
      },
      resolve: (_, { ids, note, decision: answer }, ctx) =>
        decideApprovals(ctx, ids, { decision: answer, note: note ?? '' }),
    }),
  }))
}

function approvalType(schema: Schema): TypeOf<Approval> {
  const state = schema.enumType('FlowApprovalState', { values: approvalStates })
  return schema.objectRef<Approval>('FlowApproval').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      runId: t.exposeID('runId'),
      flowId: t.exposeID('flowId'),
      flowName: t.exposeString('flowName'),
      assetId: t.exposeID('assetId', { nullable: true }),
      assetName: t.exposeString('assetName', { description: 'Empty: about none, or it is gone.' }),
      cause: t.exposeString('cause', {
        description: 'What started the run: an event type, schedule, manual, webhook or query.',
      }),
      startedByName: t.exposeString('startedByName', {
        nullable: true,
        description: 'Who started the run by hand; null: its trigger did.',
      }),
      question: t.exposeString('question'),
      state: t.expose('state', { type: state }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
      decidedAt: t.expose('decidedAt', { type: 'DateTime', nullable: true }),
      decidedByName: t.exposeString('decidedByName', { nullable: true }),
      note: t.exposeString('note'),
    }),
  })
}
