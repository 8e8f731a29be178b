import type { EnumOf, Schema, TypeOf } from '#platform/graphql/schema.ts'
import type { CloudProvider, ResourceCost } from '../cloud-resource.ts'
import type { CloudConnection } from '../connection.ts'
import type { AccountCost, CostAccount } from './cost.ts'
import { listCostAccounts, listCosts, switchCosts } from './costs.ts'

export const costType = (schema: Schema): TypeOf<ResourceCost> =>
  schema.objectRef<ResourceCost>('CloudResourceCost').implement({
    fields: (t) => ({
      month: t.exposeString('month', { description: '`2026-11`' }),
      amount: t.exposeString('amount', { description: 'A decimal number with two places.' }),
      currency: t.exposeString('currency', { description: 'ISO 4217' }),
    }),
  })

export function addCosts(
  schema: Schema,
  provider: EnumOf<CloudProvider>,
  connection: TypeOf<CloudConnection>,
): void {
  const [cost, account] = [accountCostType(schema, provider), costAccountType(schema)]
  schema.queryFields((t) => ({
    cloudCosts: t.field({
      type: [cost],
      description:
        'What accounts cost in the last thirteen months; the latest month first, then what costs most.',
      args: { connectionId: t.arg.id() },
      resolve: (_, { connectionId }, ctx) => listCosts(ctx, connectionId ?? undefined),
    }),
    cloudCostAccounts: t.field({
      type: [account],
      description: 'How the reading of costs went; what did not go well first.',
      args: { connectionId: t.arg.id({ required: true }) },
      resolve: (_, { connectionId }, ctx) => listCostAccounts(ctx, connectionId),
    }),
  }))
  schema.mutationField('switchCloudCosts', (t) =>
    t.field({
      type: connection,
      description:
        'Has the costs of a connection read every day, or no more. Asking may cost money at the provider.',
      args: {
        id: t.arg.id({ required: true }),
        isOn: t.arg.boolean({ required: true }),
        table: t.arg.string({ description: 'Of Google Cloud: the table of the billing export.' }),
      },
      resolve: (_, { id, isOn, table }, ctx) =>
        switchCosts(ctx, id, { isOn, ...(table != null && { table }) }),
    }),
  )
}

const accountCostType = (schema: Schema, provider: EnumOf<CloudProvider>): TypeOf<AccountCost> =>
  schema.objectRef<AccountCost>('CloudAccountCost').implement({
    fields: (t) => ({
      provider: t.expose('provider', { type: provider }),
      account: t.exposeString('account'),
      accountName: t.exposeString('accountName'),
      month: t.exposeString('month', { description: '`2026-11`' }),
      amount: t.exposeString('amount', { description: 'A decimal number with two places.' }),
      currency: t.exposeString('currency', { description: 'ISO 4217' }),
      ofResources: t.exposeString('ofResources', {
        description: 'Of the amount, what its resources in the inventory cost.',
      }),
      knownFrom: t.exposeString('knownFrom', { description: 'The first day that is in it.' }),
      knownUntil: t.exposeString('knownUntil', { description: 'The last day that is in it.' }),
      isWhole: t.exposeBoolean('isWhole', { description: 'All days of the month are in it.' }),
    }),
  })

const costAccountType = (schema: Schema): TypeOf<CostAccount> =>
  schema.objectRef<CostAccount>('CloudCostAccount').implement({
    fields: (t) => ({
      account: t.exposeString('account'),
      accountName: t.exposeString('accountName'),
      status: t.exposeString('status', { description: '`complete`, `partial` or `failed`' }),
      reason: t.exposeString('reason'),
      completedAt: t.expose('completedAt', {
        type: 'DateTime',
        nullable: true,
        description: 'Null: never.',
      }),
    }),
  })
