import {
  given,
  listArgs,
  pageArgs,
  pageFrom,
  pageType,
  perItem,
  type EnumOf,
  type Schema,
  type TypeOf,
} from '#platform/graphql/schema.ts'
import { externalIdOf, listCoverage, listConnections, listResourceDetails } from './cloud.ts'
import {
  allProviders,
  allTypes,
  type CloudProvider,
  type CloudResource,
  type ResourceType,
} from './cloud-resource.ts'
import { scopeStatuses, type CloudConnection, type ScopeCoverage } from './connection.ts'
import { addCosts, costType } from './costs/graphql.ts'
import { addCloudChanges } from './graphql-changes.ts'
import { regionFacts, type RegionCarbon } from './regions/region-facts.ts'

export function graphql(schema: Schema): void {
  const provider = schema.enumType('CloudProvider', { values: allProviders })
  const type = schema.enumType('CloudResourceType', { values: allTypes })
  const connection = connectionType(schema, provider)
  addResources(schema, provider, type)
  addCoverage(schema, type)
  schema.queryField('cloudConnections', (t) =>
    t.field({ type: [connection], description: 'By name.', resolve: (_, __, ctx) => listConnections(ctx) }),
  )
  addCloudChanges(schema, provider, connection)
  addCosts(schema, provider, connection)
}

function connectionType(schema: Schema, provider: EnumOf<CloudProvider>): TypeOf<CloudConnection> {
  const value = schema.objectRef<readonly [string, string]>('CloudSetting').implement({
    fields: (t) => ({
      name: t.string({ resolve: ([name]) => name }),
      value: t.string({ resolve: ([, it]) => it }),
    }),
  })
  return schema.objectRef<CloudConnection>('CloudConnection').implement({
    description: 'An account, organisation or directory at a cloud provider. Its secret is never told.',
    fields: (t) => ({
      id: t.exposeID('id'),
      provider: t.expose('provider', { type: provider }),
      name: t.exposeString('name'),
      signIn: t.exposeString('signIn'),
      settings: t.field({ type: [value], resolve: ({ settings }) => Object.entries(settings) }),
      isEnabled: t.exposeBoolean('isEnabled'),
      readsCosts: t.exposeBoolean('readsCosts', { description: 'Its costs are read once a day.' }),
      problem: t.exposeString('problem', {
        description: 'Why its accounts could not be listed; empty when they could.',
      }),
      plannedAt: t.expose('plannedAt', {
        type: 'DateTime',
        nullable: true,
        description: 'When they were last listed.',
      }),
      nextPlanAt: t.expose('nextPlanAt', { type: 'DateTime' }),
      externalId: t.string({
        description: 'What trust policies of AWS roles ask for.',
        resolve: ({ id }, _, ctx) => externalIdOf(ctx.tenantId, id),
      }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      resources: t.exposeInt('resources', {
        description: 'That it sees and that are not gone; another connection may see them too.',
      }),
      scopes: t.exposeInt('scopes', { description: 'Types of resources in regions of accounts.' }),
      completeScopes: t.exposeInt('completeScopes', {
        description: 'Of these, read to their end the last time.',
      }),
      pendingScopes: t.exposeInt('pendingScopes', {
        description: 'Of these, waiting for a worker or being read.',
      }),
    }),
  })
}

const carbonType = (schema: Schema) =>
  schema.objectRef<RegionCarbon>('RegionCarbon').implement({
    description: 'Carbon of the energy of a region in a year, as its provider publishes it.',
    fields: (t) => ({
      year: t.exposeInt('year'),
      carbonFreeShare: t.exposeFloat('carbonFreeShare', { description: 'Of its energy, from 0 to 1.' }),
      gridGramsPerKwh: t.exposeFloat('gridGramsPerKwh', {
        description: 'Grams of CO2 equivalent for each kilowatt hour of the local grid.',
      }),
    }),
  })

function resourceType(
  schema: Schema,
  provider: EnumOf<CloudProvider>,
  type: EnumOf<ResourceType>,
): TypeOf<CloudResource> {
  const cost = costType(schema)
  const carbon = carbonType(schema)
  return schema.objectRef<CloudResource>('CloudResource').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      provider: t.expose('provider', { type: provider }),
      name: t.exposeString('name'),
      type: t.expose('type', { type }),
      region: t.exposeString('region'),
      place: t.string({
        nullable: true,
        description: 'Where the region is; null where that is not known.',
        resolve: ({ provider: of, region }) => regionFacts(of, region)?.place,
      }),
      carbon: t.field({
        type: carbon,
        nullable: true,
        description: 'Of the region; null where its provider publishes none.',
        resolve: ({ provider: of, region }) => regionFacts(of, region)?.carbon,
      }),
      status: t.exposeString('status', { description: 'As the provider tells it.' }),
      account: t.exposeString('account'),
      nativeId: t.exposeString('nativeId', { description: 'An ARN, a resource id or a full resource name.' }),
      connectionId: t.exposeID('connectionId'),
      connectionName: t.exposeString('connectionName'),
      tags: t.field({ type: ['String'], resolve: ({ tags }) => [...tags] }),
      facts: t.field({ type: 'JSON', resolve: ({ facts }) => facts }),
      firstSeen: t.expose('firstSeen', { type: 'DateTime' }),
      lastSeen: t.expose('lastSeen', { type: 'DateTime' }),
      assetId: t.id({ nullable: true, resolve: ({ assetId }) => assetId }),
      costs: t.field({
        type: [cost],
        description:
          'Of the last months; the latest first. Empty where the provider was not asked or told nothing.',
        resolve: ({ costs }) => [...costs],
      }),
    }),
  })
}

function addResources(schema: Schema, provider: EnumOf<CloudProvider>, type: EnumOf<ResourceType>): void {
  const page = pageType(schema, 'CloudResourcePage', resourceType(schema, provider, type))
  schema.queryField('cloudResources', (t) =>
    t.field({
      type: page,
      description: 'By name unless another order is asked for.',
      args: {
        provider: t.arg({ type: provider }),
        type: t.arg({ type }),
        region: t.arg.string(),
        connectionId: t.arg.id(),
        search: t.arg.string({ description: 'Anywhere in name or id, whatever its case.' }),
        ...listArgs(schema),
      },
      complexity: perItem,
      resolve: (_, { first, offset, ...filter }, ctx) =>
        listResourceDetails(ctx, pageFrom({ first, offset }), given(filter)),
    }),
  )
}

function addCoverage(schema: Schema, type: EnumOf<ResourceType>): void {
  const status = schema.enumType('CloudScopeStatus', { values: scopeStatuses })
  const scope = schema.objectRef<ScopeCoverage>('CloudScope').implement({
    description: 'A type of resource in one region of an account: what is read as one.',
    fields: (t) => ({
      id: t.exposeID('id'),
      account: t.exposeString('account'),
      accountName: t.exposeString('accountName'),
      region: t.exposeString('region'),
      type: t.expose('type', { type }),
      status: t.expose('status', { type: status }),
      reason: t.exposeString('reason', { description: 'Why it is partial or failed.' }),
      resources: t.exposeInt('resources'),
      finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true }),
      completedAt: t.expose('completedAt', { type: 'DateTime', nullable: true, description: 'Null: never.' }),
      retiredAt: t.expose('retiredAt', {
        type: 'DateTime',
        nullable: true,
        description: 'No longer named since.',
      }),
    }),
  })
  const page = pageType(schema, 'CloudScopePage', scope)
  schema.queryField('cloudCoverage', (t) =>
    t.field({
      type: page,
      description: 'What did not go well first.',
      args: { connectionId: t.arg.id({ required: true }), ...pageArgs(schema) },
      complexity: perItem,
      resolve: (_, { connectionId, ...args }, ctx) => listCoverage(ctx, connectionId, pageFrom(args)),
    }),
  )
}
