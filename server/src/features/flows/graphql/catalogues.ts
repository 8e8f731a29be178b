import type { Field as ConditionField } from '#platform/conditions/field.ts'
import { fieldTypes } from '#platform/conditions/field.ts'
import type { Schema, TypeOf } from '#platform/graphql/schema.ts'
import { actions } from '../actions/all.ts'
import type { Action } from '../actions/action.ts'
import { completeCondition } from '../definition/complete-condition.ts'
import { fieldsOf, type ActionField } from '../definition/action-fields.ts'
import { faultsOf, type Fault } from '../definition/faults.ts'
import { triggerFieldsOf, triggerCatalogue, type TriggerInfo } from '../definition/trigger-catalogue.ts'
import { nextTimes, type DueTime } from '#platform/jobs/next-times.ts'
import { permit, type Ctx } from '#platform/context.ts'
import type { Schedule } from '#platform/jobs/schedule.ts'

/** What an editor of flows needs to know. */
export function addCatalogues(schema: Schema): void {
  const action = actionType(schema)
  const trigger = triggerType(schema)
  const field = triggerFieldType(schema)
  const fault = faultType(schema)
  const dueTime = dueTimeType(schema)
  schema.queryFields((t) => ({
    flowActions: t.field({
      type: [action],
      description: 'What a step can do.',
      resolve: () => [...actions.values()],
    }),
    flowTriggers: t.field({
      type: [trigger],
      description: 'What can start a flow.',
      resolve: () => [...triggerCatalogue],
    }),
    flowTriggerFields: t.field({
      type: [field],
      description: 'What conditions and texts can read as event.NAME after this trigger.',
      args: { trigger: t.arg({ type: 'JSON', required: true }) },
      resolve: (_, args, ctx) => triggerFieldsOf(ctx, args.trigger),
    }),
    flowConditionCompletions: t.field({
      type: 'ConditionCompletion' as never,
      description: 'What may stand at the cursor of a condition of a flow with this trigger.',
      args: {
        trigger: t.arg({ type: 'JSON', required: true }),
        text: t.arg.string({ required: true }),
        cursor: t.arg.int({ description: 'Characters before it; at the end unless given.' }),
      },
      resolve: (_, { trigger: of, text, cursor }, ctx) =>
        completeCondition(ctx, of, { text, cursor: cursor ?? text.length }) as never,
    }),
    flowFaults: t.field({
      type: [fault],
      description: 'All that is wrong with a definition, each with its place; none: it can be saved.',
      args: { definition: t.arg({ type: 'JSON', required: true }) },
      resolve: (_, { definition }, ctx) => faultsOf(ctx, definition),
    }),
    flowScheduleTimes: t.field({
      type: [dueTime],
      description: 'The next five times of a schedule.',
      args: { cron: t.arg.string({ required: true }), zone: t.arg.string({ required: true }) },
      resolve: (_, schedule, ctx) => scheduleTimes(ctx, schedule),
    }),
  }))
}

function scheduleTimes(ctx: Ctx, schedule: Schedule): DueTime[] {
  permit(ctx, 'flows:read')
  return nextTimes(schedule, ctx.now())
}

function actionType(schema: Schema): TypeOf<Action> {
  const field = actionFieldType(schema)
  return schema.objectRef<Action>('FlowAction').implement({
    fields: (t) => ({
      name: t.exposeString('name'),
      label: t.exposeString('label'),
      sentence: t.exposeString('sentence'),
      settings: t.field({ type: 'JSON', description: 'A JSON schema.', resolve: ({ settings }) => settings }),
      fields: t.field({ type: [field], resolve: (it) => fieldsOf(it) }),
      outputs: t.field({
        type: ['String'],
        description: 'What later steps read as steps.NAME.…',
        resolve: ({ outputs }) => [...outputs],
      }),
      permission: t.string({ nullable: true, resolve: ({ permission }) => permission ?? null }),
      needsAsset: t.boolean({ resolve: ({ needsAsset }) => needsAsset === true }),
      isSentOut: t.boolean({
        description: 'It speaks to somebody else: after a crash it may happen twice, with the same key.',
        resolve: ({ kind }) => kind === 'outer',
      }),
    }),
  })
}

function actionFieldType(schema: Schema): TypeOf<ActionField> {
  return schema.objectRef<ActionField>('FlowActionField').implement({
    fields: (t) => ({
      name: t.exposeString('name'),
      label: t.exposeString('label'),
      help: t.exposeString('help'),
      type: t.exposeString('type', { description: 'text, number, boolean, choice, list or map' }),
      isRequired: t.exposeBoolean('isRequired'),
      isTemplate: t.exposeBoolean('isTemplate', { description: 'May hold {{places}}.' }),
      values: t.field({ type: ['String'], resolve: ({ values }) => [...values] }),
      pick: t.exposeString('pick', { description: 'What it is picked from; empty: it is written.' }),
      min: t.exposeFloat('min', { nullable: true }),
      max: t.exposeFloat('max', { nullable: true }),
    }),
  })
}

function triggerType(schema: Schema): TypeOf<TriggerInfo> {
  return schema.objectRef<TriggerInfo>('FlowTriggerInfo').implement({
    fields: (t) => ({
      kind: t.exposeString('kind'),
      label: t.exposeString('label'),
      sentence: t.exposeString('sentence'),
      settings: t.field({
        type: ['String'],
        description: 'The fields of the trigger beside its kind.',
        resolve: ({ settings }) => [...settings],
      }),
    }),
  })
}

function triggerFieldType(schema: Schema): TypeOf<ConditionField> {
  const type = schema.enumType('FlowFieldType', { values: fieldTypes })
  return schema.objectRef<ConditionField>('FlowTriggerField').implement({
    fields: (t) => ({
      name: t.exposeString('name'),
      type: t.expose('type', { type }),
      isList: t.boolean({ resolve: ({ isList }) => isList === true }),
      values: t.field({ type: ['String'], resolve: ({ values = [] }) => [...values] }),
      sentence: t.exposeString('sentence'),
    }),
  })
}

function faultType(schema: Schema): TypeOf<Fault> {
  return schema.objectRef<Fault>('FlowFault').implement({
    fields: (t) => ({
      place: t.exposeString('place', { description: 'Such as steps[1].with.tags.' }),
      message: t.exposeString('message'),
    }),
  })
}

function dueTimeType(schema: Schema): TypeOf<DueTime> {
  return schema.objectRef<DueTime>('FlowDueTime').implement({
    fields: (t) => ({
      at: t.expose('at', { type: 'DateTime' }),
      local: t.exposeString('local', { description: 'In its zone.' }),
      isAfterClockChange: t.exposeBoolean('isAfterClockChange', {
        description: 'The clocks have changed since the time before.',
      }),
    }),
  })
}
