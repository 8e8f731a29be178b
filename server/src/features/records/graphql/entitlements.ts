import { given, type Field, type FieldMaker, type Schema } from '#platform/graphql/schema.ts'
import {
  metrics,
  type Contract,
  type CountedEntitlement,
  type EntitlementUse,
  type Terms,
} from '../entitlements/entitlement.ts'
import {
  assignEntitlement,
  deleteContract,
  deleteEntitlement,
  listContracts,
  listEntitlements,
  saveContract,
  saveEntitlement,
  unassignEntitlement,
  usesOf,
} from '../entitlements/entitlements.ts'

export function addEntitlements(schema: Schema): void {
  addContracts(schema)
  const types = addTypes(schema)
  addQueries(schema, types)
  addMutations(schema, types)
}

/** Dates are `YYYY-MM-DD`. */
const terms = <T extends Terms>(t: FieldMaker<T>): Record<keyof Terms, Field> => ({
  begins: t.string({ nullable: true, resolve: (it) => it.begins }),
  ends: t.string({ nullable: true, resolve: (it) => it.ends }),
  cost: t.string({ nullable: true, resolve: (it) => it.cost }),
  currency: t.string({ nullable: true, resolve: (it) => it.currency }),
  notes: t.string({ nullable: true, resolve: (it) => it.notes }),
})

const termArgs = (schema: Schema) =>
  schema.args((t) => ({
    begins: t.string(),
    ends: t.string(),
    cost: t.string({ description: 'A decimal, such as `1299.00`; needs a currency.' }),
    currency: t.string({ description: 'ISO 4217.' }),
    notes: t.string(),
  }))

function addContracts(schema: Schema): void {
  const contract = schema.objectRef<Contract>('Contract').implement({
    description: 'What was agreed with a supplier.',
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.exposeString('name'),
      supplier: t.exposeString('supplier', { nullable: true }),
      number: t.exposeString('number', { nullable: true }),
      ...terms(t),
    }),
  })
  schema.queryField('contracts', (t) =>
    t.field({ type: [contract], resolve: (_, __, ctx) => listContracts(ctx) }),
  )
  schema.mutationFields((t) => ({
    saveContract: t.field({
      type: contract,
      description: 'A new one, or the one of `id` with these values and no others.',
      args: {
        id: t.arg.id(),
        name: t.arg.string({ required: true }),
        supplier: t.arg.string(),
        number: t.arg.string(),
        ...termArgs(schema),
      },
      resolve: (_, { name, ...input }, ctx) => saveContract(ctx, { name, ...given(input) }),
    }),
    deleteContract: t.field({
      type: 'ID',
      description: 'Refused while entitlements rest on it.',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => deleteContract(ctx, id).then(() => id),
    }),
  }))
}

const addTypes = (schema: Schema) => {
  const metric = schema.enumType('EntitlementMetric', { values: metrics })
  return {
    metric,
    entitlement: schema.objectRef<CountedEntitlement>('Entitlement').implement({
      description: 'The right to use a product so many times.',
      fields: (t) => ({
        id: t.exposeID('id'),
        product: t.exposeString('product'),
        vendor: t.exposeString('vendor', { nullable: true }),
        metric: t.expose('metric', { type: metric }),
        count: t.exposeInt('count', { nullable: true, description: 'Null: without limit.' }),
        used: t.exposeInt('used', { description: 'How many uses are assigned.' }),
        versionFrom: t.exposeString('versionFrom', { nullable: true }),
        versionTo: t.exposeString('versionTo', { nullable: true }),
        contractId: t.exposeID('contractId', { nullable: true }),
        contract: t.exposeString('contract', { nullable: true, description: 'Its name.' }),
        ...terms(t),
      }),
    }),
    use: schema.objectRef<EntitlementUse>('EntitlementUse').implement({
      description: 'Of an asset or a person.',
      fields: (t) => ({
        id: t.exposeID('id'),
        assetId: t.exposeID('assetId', { nullable: true }),
        assetName: t.exposeString('assetName', { nullable: true }),
        person: t.exposeString('person', { nullable: true }),
        assignedAt: t.expose('assignedAt', { type: 'DateTime' }),
      }),
    }),
  }
}
type Types = ReturnType<typeof addTypes>

function addQueries(schema: Schema, { entitlement, use }: Types): void {
  schema.queryFields((t) => ({
    entitlements: t.field({ type: [entitlement], resolve: (_, __, ctx) => listEntitlements(ctx) }),
    entitlementUses: t.field({
      type: [use],
      args: { entitlementId: t.arg.id({ required: true }) },
      resolve: (_, { entitlementId }, ctx) => usesOf(ctx, entitlementId),
    }),
  }))
}

function addMutations(schema: Schema, { entitlement, metric }: Types): void {
  schema.mutationFields((t) => ({
    saveEntitlement: t.field({
      type: entitlement,
      description: 'A new one, or the one of `id` with these values and no others; its uses stay.',
      args: {
        id: t.arg.id(),
        product: t.arg.string({ required: true }),
        vendor: t.arg.string(),
        metric: t.arg({ type: metric, required: true }),
        count: t.arg.int({ description: 'Absent: without limit.' }),
        versionFrom: t.arg.string(),
        versionTo: t.arg.string(),
        contractId: t.arg.id(),
        ...termArgs(schema),
      },
      resolve: (_, { product, metric: by, ...input }, ctx) =>
        saveEntitlement(ctx, { product, metric: by, ...given(input) }),
    }),
    deleteEntitlement: t.field({
      type: 'ID',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => deleteEntitlement(ctx, id).then(() => id),
    }),
    assignEntitlement: t.field({
      type: entitlement,
      args: {
        entitlementId: t.arg.id({ required: true }),
        assetIds: t.arg.idList(),
        persons: t.arg.stringList(),
      },
      resolve: (_, { entitlementId, ...uses }, ctx) =>
        assignEntitlement(ctx, { entitlementId, ...given(uses) }),
    }),
    unassignEntitlement: t.field({
      type: entitlement,
      args: { entitlementId: t.arg.id({ required: true }), useIds: t.arg.idList({ required: true }) },
      resolve: (_, which, ctx) => unassignEntitlement(ctx, which),
    }),
  }))
}
