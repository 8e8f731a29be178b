import type { Field, FieldMaker, Schema, TypeOf } from '#platform/graphql/schema.ts'
import type { LocatedPlace } from '../places/place.ts'
import { getRecord, setRecords, suggestValues, type RecordDetail } from '../records.ts'
import { lifeStates, recordFields, type Origin, type RecordField } from '../values/asset-record.ts'

const SUGGESTIONS_MAX = 50

export function addRecords(schema: Schema, place: TypeOf<LocatedPlace>): void {
  const state = schema.enumType('LifeState', { values: lifeStates })
  const record = addRecordType(schema, place)
  schema.queryFields((t) => ({
    assetRecord: t.field({
      type: record,
      description: 'What people and imports recorded of an asset.',
      args: { assetId: t.arg.id({ required: true }) },
      resolve: (_, { assetId }, ctx) => getRecord(ctx, assetId),
    }),
  }))
  const values = schema.inputType('AssetRecordInput', {
    description: 'Null clears a value; what is absent stays.',
    fields: (t) => ({
      owner: t.string({ description: 'A person or team; a member by e-mail address.' }),
      department: t.string(),
      costCentre: t.string(),
      placeId: t.id(),
      state: t.field({ type: state }),
      purchasedOn: t.string({ description: 'Dates are `YYYY-MM-DD`.' }),
      price: t.string({ description: 'A decimal, such as `1299.00`; needs a currency.' }),
      currency: t.string({ description: 'ISO 4217.' }),
      supplier: t.string(),
      orderNumber: t.string(),
      warrantyEnds: t.string(),
      leaseEnds: t.string(),
      replaceOn: t.string({ description: 'The planned replacement.' }),
      hardwareEol: t.string({ description: 'Until when its maker supports the hardware.' }),
      approved: t.string({ description: 'Whether it may be there: `yes` or `no`.' }),
      externallyScannedOn: t.string({ description: 'When somebody scanned it from outside last.' }),
      notes: t.string(),
    }),
  })
  schema.mutationField('setAssetRecord', (t) =>
    t.field({
      type: [record],
      description: 'Sets the same values on up to 1,000 assets; sends no events.',
      args: {
        assetIds: t.arg.idList({ required: true }),
        values: t.arg({ type: values, required: true }),
      },
      resolve: (_, { assetIds, values: given }, ctx) => setRecords(ctx, { assetIds, values: { ...given } }),
    }),
  )
  addSuggestions(schema)
}

interface FieldOrigin extends Origin {
  readonly field: RecordField
}

function addRecordType(schema: Schema, place: TypeOf<LocatedPlace>): TypeOf<RecordDetail> {
  const origin = schema.objectRef<FieldOrigin>('RecordOrigin').implement({
    description: 'Who recorded a value. Imports do not change what a person recorded.',
    fields: (t) => ({
      field: t.exposeString('field'),
      source: t.exposeString('source', { description: '`person` or `import`.' }),
      by: t.exposeString('by', { description: 'The person or the name of the import.' }),
      at: t.expose('at', { type: 'DateTime' }),
    }),
  })
  return schema.objectRef<RecordDetail>('AssetRecord').implement({
    description: 'Null: not recorded. Dates are `YYYY-MM-DD`.',
    fields: (t) => ({
      ...textFields(t),
      assetId: t.exposeID('assetId'),
      ownerId: t.exposeID('ownerId', { nullable: true, description: 'Of an owner who is a member.' }),
      ownerName: t.exposeString('ownerName', { nullable: true }),
      place: t.expose('place', {
        type: place,
        nullable: true,
        description: 'As recorded, else by the longest network that has the address.',
      }),
      placeFrom: t.exposeString('placeFrom', {
        nullable: true,
        description: '`person`, `import` or `network`.',
      }),
      origins: t.field({ type: [origin], resolve: ({ origins }) => listed(origins) }),
    }),
  })
}

/** All but the place, which is a thing of its own. */
function textFields(t: FieldMaker<RecordDetail>): Record<Exclude<RecordField, 'placeId'>, Field> {
  const text = (field: RecordField) => t.string({ nullable: true, resolve: ({ values }) => values[field] })
  return {
    owner: text('owner'),
    department: text('department'),
    costCentre: text('costCentre'),
    state: text('state'),
    purchasedOn: text('purchasedOn'),
    price: text('price'),
    currency: text('currency'),
    supplier: text('supplier'),
    orderNumber: text('orderNumber'),
    warrantyEnds: text('warrantyEnds'),
    leaseEnds: text('leaseEnds'),
    replaceOn: text('replaceOn'),
    hardwareEol: text('hardwareEol'),
    approved: text('approved'),
    externallyScannedOn: text('externallyScannedOn'),
    notes: text('notes'),
  }
}

const listed = (origins: RecordDetail['origins']): FieldOrigin[] =>
  recordFields.flatMap((field): FieldOrigin[] => {
    const known = origins[field]
    return known ? [{ field, ...known }] : []
  })

function addSuggestions(schema: Schema): void {
  const field = schema.enumType('SuggestedRecordField', {
    values: ['owner', 'department', 'costCentre', 'supplier'] as const,
  })
  const suggestion = schema.objectRef<{ value: string; assets: number }>('RecordValueUse').implement({
    fields: (t) => ({ value: t.exposeString('value'), assets: t.exposeInt('assets') }),
  })
  schema.queryField('recordValues', (t) =>
    t.field({
      type: [suggestion],
      description: 'Values of a field that are in use, the most used first.',
      args: {
        field: t.arg({ type: field, required: true }),
        search: t.arg.string({ required: true, defaultValue: '' }),
      },
      resolve: (_, { field: name, search }, ctx) =>
        suggestValues(ctx, name, { text: search, limit: SUGGESTIONS_MAX }),
    }),
  )
}
