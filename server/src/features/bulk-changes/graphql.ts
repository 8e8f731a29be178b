import { criticalities, exposures } from '#features/vulnerabilities/vulnerabilities.ts'
import {
  canBeTried,
  given,
  pageArgs,
  pageFrom,
  pageType,
  perItem,
  type Schema,
  type TypeOf,
} from '#platform/graphql/schema.ts'
import {
  bulkStatuses,
  bulkSubjectNames,
  bulkVerbNames,
  type BulkChange,
  type BulkChangeAsset,
  type BulkValues,
} from './bulk-change.ts'
import {
  bulkChangeAssets,
  cancelBulkChange,
  countSelection,
  getBulkChange,
  listBulkChanges,
  startBulkChange,
  undoBulkChange,
} from './bulk-changes.ts'
import { verbs } from './verbs/all.ts'

export function graphql(schema: Schema): void {
  const verb = addVerb(schema)
  const type = addBulkChange(schema, verb)
  addQueries(schema, type)
  const values = addValues(schema)
  const id = schema.args((t) => ({ id: t.id({ required: true }) }))
  schema.mutationFields((t) => ({
    startBulkChange: t.field({
      ...canBeTried,
      type,
      description:
        'Changes many assets or findings as a job: those named, at most 10,000, or all that a condition finds.',
      args: {
        verb: t.arg({ type: verb, required: true }),
        values: t.arg({ type: values }),
        assetIds: t.arg.idList(),
        findingIds: t.arg.idList(),
        where: t.arg.string({
          description:
            'As of GET /assets: living assets, unless it asks about archived. For findings as of GET /vulnerabilities: open ones, unless it asks about status.',
        }),
        confirm: t.arg.int({ description: 'To delete: the number of assets, as a person typed it.' }),
      },
      resolve: (_, { values: wanted, ...input }, ctx) =>
        startBulkChange(ctx, {
          ...given(input),
          verb: input.verb,
          ...(wanted && { values: valuesFrom(wanted) }),
        }),
    }),
    cancelBulkChange: t.field({
      type,
      description: 'What was changed stays.',
      args: id,
      resolve: (_, args, ctx) => cancelBulkChange(ctx, args.id),
    }),
    undoBulkChange: t.field({
      type,
      description: 'Starts another change, which gives back what was before; returns that one.',
      args: id,
      resolve: (_, args, ctx) => undoBulkChange(ctx, args.id),
    }),
  }))
}

function addQueries(schema: Schema, type: TypeOf<BulkChange>): void {
  const page = pageType(schema, 'BulkChangePage', type)
  const asset = schema.objectRef<BulkChangeAsset>('BulkChangeAsset').implement({
    fields: (t) => ({
      assetId: t.exposeID('assetId'),
      name: t.exposeString('name'),
      isDone: t.exposeBoolean('isDone'),
      isChanged: t.exposeBoolean('isChanged'),
    }),
  })
  const assetPage = pageType(schema, 'BulkChangeAssetPage', asset)
  schema.queryFields((t) => ({
    bulkChanges: t.field({
      type: page,
      description: 'Newest first.',
      args: pageArgs(schema),
      complexity: perItem,
      resolve: (_, args, ctx) => listBulkChanges(ctx, pageFrom(args)),
    }),
    bulkChange: t.field({
      type,
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => getBulkChange(ctx, id),
    }),
    bulkChangeAssets: t.field({
      type: assetPage,
      args: { id: t.arg.id({ required: true }), ...pageArgs(schema) },
      complexity: perItem,
      resolve: (_, { id, ...args }, ctx) => bulkChangeAssets(ctx, id, pageFrom(args)),
    }),
    bulkSelectionCount: t.int({
      description: 'How many assets a bulk change would be of.',
      args: { assetIds: t.arg.idList(), where: t.arg.string() },
      resolve: (_, args, ctx) => countSelection(ctx, given(args)),
    }),
  }))
}

const addVerb = (schema: Schema) => schema.enumType('BulkVerb', { values: bulkVerbNames })

function addBulkChange(schema: Schema, verb: ReturnType<typeof addVerb>): TypeOf<BulkChange> {
  const status = schema.enumType('BulkStatus', { values: bulkStatuses })
  const subject = schema.enumType('BulkSubject', { values: bulkSubjectNames })
  return schema.objectRef<BulkChange>('BulkChange').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      verb: t.expose('verb', { type: verb }),
      subject: t.field({ type: subject, resolve: (it) => verbs[it.verb].subject }),
      values: t.field({ type: 'JSON', description: 'What it sets.', resolve: (it) => it.values }),
      where: t.exposeString('where', { nullable: true, description: 'Null: they were named.' }),
      status: t.expose('status', { type: status }),
      message: t.exposeString('message', { description: 'Why it failed; else empty.' }),
      total: t.exposeInt('total', { description: 'Grows while the status is `collecting`.' }),
      done: t.exposeInt('done'),
      changed: t.exposeInt('changed', { description: 'Of those done, how many were not as wanted before.' }),
      undoOf: t.exposeID('undoOf', { nullable: true }),
      undoneBy: t.exposeID('undoneBy', { nullable: true }),
      startedBy: t.string({ resolve: ({ startedBy }) => startedBy.name ?? startedBy.id }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true }),
    }),
  })
}

function addValues(schema: Schema) {
  const criticality = schema.enumType('BulkCriticality', { values: criticalities })
  const exposure = schema.enumType('BulkExposure', { values: exposures })
  return schema.inputType('BulkValuesInput', {
    description: 'Each verb takes its own of these.',
    fields: (t) => ({
      tags: t.stringList(),
      criticality: t.field({ type: criticality }),
      exposure: t.field({ type: exposure }),
      fieldId: t.id({ description: 'A custom field.' }),
      value: t.field({ type: 'JSON', description: 'Of the custom field; null clears.' }),
      reason: t.string({ description: 'Why findings are decided so.' }),
      expiresAt: t.field({
        type: 'DateTime',
        description: 'Until when the decision holds; null: until it is ended.',
      }),
      record: t.field({
        type: 'JSON',
        description: 'Fields of the record as in AssetRecordInput, such as {"owner": "Ada"}; null clears.',
      }),
    }),
  })
}

interface ValuesInput {
  readonly tags?: readonly string[] | null | undefined
  readonly criticality?: BulkValues['criticality'] | null | undefined
  readonly exposure?: BulkValues['exposure'] | null | undefined
  readonly fieldId?: string | null | undefined
  readonly reason?: string | null | undefined
  readonly expiresAt?: string | Date | null | undefined
  readonly value?: unknown
  readonly record?: unknown
}

/** The verbs check what is in them. */
function valuesFrom({ value, ...others }: ValuesInput): BulkValues {
  return {
    ...given(others),
    ...(value !== undefined && { value: value as BulkValues['value'] }),
  } as BulkValues
}
