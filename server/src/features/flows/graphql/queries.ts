import {
  given,
  listArgs,
  pageArgs,
  pageFrom,
  pageType,
  perItem,
  type Schema,
  type TypeOf,
} from '#platform/graphql/schema.ts'
import { getFlow, getRun, listFlows, listRuns, listVersions } from '../flows.ts'
import { getHook, type Hook } from '../hooks/hooks.ts'
import { listFlowSecrets, type FlowSecret } from '../secrets/flow-secrets.ts'
import { flowStop, type FlowStop } from '../stops/stops.ts'
import { detailType, versionType, type FlowTypes } from './object-types.ts'

export interface SettingTypes {
  readonly secret: TypeOf<FlowSecret>
  readonly stop: TypeOf<FlowStop>
}

export function settingTypes(schema: Schema): SettingTypes {
  return {
    secret: schema.objectRef<FlowSecret>('FlowSecret').implement({
      fields: (t) => ({
        name: t.exposeString('name'),
        updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
        updatedByName: t.exposeString('updatedByName'),
      }),
    }),
    stop: schema.objectRef<FlowStop>('FlowStop').implement({
      fields: (t) => ({
        reason: t.exposeString('reason'),
        stoppedAt: t.expose('stoppedAt', { type: 'DateTime' }),
        stoppedByName: t.exposeString('stoppedByName'),
      }),
    }),
  }
}

function hookType(schema: Schema): TypeOf<Hook> {
  return schema.objectRef<Hook>('FlowHook').implement({
    fields: (t) => ({
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      isSigned: t.exposeBoolean('isSigned', { description: 'Whether requests must be signed.' }),
    }),
  })
}

export function addQueries(schema: Schema, types: FlowTypes, { secret, stop }: SettingTypes): void {
  const { flow, run } = types
  const version = versionType(schema)
  const detail = detailType(schema, types)
  const hook = hookType(schema)
  const page = pageType(schema, 'FlowPage', flow)
  const runPage = pageType(schema, 'FlowRunPage', run)
  const byId = schema.args((t) => ({ id: t.id({ required: true }) }))
  schema.queryFields((t) => ({
    flows: t.field({
      type: page,
      description: 'Newest first.',
      args: pageArgs(schema),
      complexity: perItem,
      resolve: (_, args, ctx) => listFlows(ctx, pageFrom(args)),
    }),
    flow: t.field({ type: flow, args: byId, resolve: (_, { id }, ctx) => getFlow(ctx, id) }),
    flowVersions: t.field({
      type: [version],
      description: 'Newest first.',
      args: byId,
      resolve: (_, { id }, ctx) => listVersions(ctx, id),
    }),
    flowRuns: t.field({
      type: runPage,
      description: 'Of one flow, or of all; newest first unless sorted, with those that a guard skipped.',
      args: { flowId: t.arg.id(), ...listArgs(schema) },
      complexity: perItem,
      resolve: (_, args, ctx) => listRuns(ctx, pageFrom(args), given(args)),
    }),
    flowRun: t.field({ type: detail, args: byId, resolve: (_, { id }, ctx) => getRun(ctx, id) }),
    flowHook: t.field({
      type: hook,
      nullable: true,
      description: 'The address of a flow that a webhook starts; null: it was never made.',
      args: { flowId: t.arg.id({ required: true }) },
      resolve: (_, { flowId }, ctx) => getHook(ctx, flowId),
    }),
    flowSecrets: t.field({ type: [secret], resolve: (_, __, ctx) => listFlowSecrets(ctx) }),
    flowStop: t.field({
      type: stop,
      nullable: true,
      description: 'Who stopped all flows of the tenant, and why; null: they run.',
      resolve: (_, __, ctx) => flowStop(ctx),
    }),
  }))
}
