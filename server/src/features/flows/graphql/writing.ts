import { canBeTried, given, type Schema, type TypeOf } from '#platform/graphql/schema.ts'
import { archiveFlow, createFlow, publishFlow, setFlowEnabled, updateFlow } from '../flows.ts'
import { rotateHook, type IssuedHook } from '../hooks/hooks.ts'
import { deleteFlowSecret, setFlowSecret } from '../secrets/flow-secrets.ts'
import { resumeFlows, stopFlows } from '../stops/stops.ts'
import type { FlowTypes } from './object-types.ts'
import type { SettingTypes } from './queries.ts'

const byId = (schema: Schema) => schema.args((t) => ({ id: t.id({ required: true }) }))

export function addWriting(schema: Schema, { flow }: FlowTypes): void {
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
      ...canBeTried,
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

export function addSettings(schema: Schema, { secret, stop }: SettingTypes): void {
  const issued = issuedHookType(schema)
  schema.mutationFields((t) => ({
    rotateFlowHook: t.field({
      type: issued,
      description: 'A new address that starts the flow, shown this once; the one before is good for nothing.',
      args: { flowId: t.arg.id({ required: true }) },
      resolve: (_, { flowId }, ctx) => rotateHook(ctx, flowId),
    }),
    setFlowSecret: t.field({
      type: secret,
      description: 'What steps name as {{secrets.NAME}}; nobody reads it again.',
      args: { name: t.arg.string({ required: true }), value: t.arg.string({ required: true }) },
      resolve: (_, { name, value }, ctx) => setFlowSecret(ctx, name, value),
    }),
    deleteFlowSecret: t.field({
      type: 'String',
      args: { name: t.arg.string({ required: true }) },
      resolve: (_, { name }, ctx) => deleteFlowSecret(ctx, name).then(() => name),
    }),
    stopFlows: t.field({
      type: stop,
      description: 'All of the tenant: what is asked for is skipped, what runs ends before its next step.',
      args: { reason: t.arg.string({ required: true }) },
      resolve: (_, { reason }, ctx) => stopFlows(ctx, reason),
    }),
    resumeFlows: t.field({
      type: 'Boolean',
      resolve: (_, __, ctx) => resumeFlows(ctx).then(() => true),
    }),
  }))
}

function issuedHookType(schema: Schema): TypeOf<IssuedHook> {
  return schema.objectRef<IssuedHook>('IssuedFlowHook').implement({
    fields: (t) => ({
      path: t.exposeString('path', { description: 'Below the address of the server.' }),
      secret: t.exposeString('secret', {
        nullable: true,
        description: 'The key of signatures; null where requests need none.',
      }),
    }),
  })
}
