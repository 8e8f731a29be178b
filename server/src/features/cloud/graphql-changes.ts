import { given, type EnumOf, type Schema, type TypeOf } from '#platform/graphql/schema.ts'
import { connectCloud, deleteConnection, syncConnection, updateConnection } from './cloud.ts'
import type { CloudProvider } from './cloud-resource.ts'
import type { NewConnection } from './connection-input.ts'
import { testConnection, type ConnectionCheck } from './connection-test.ts'
import type { CloudConnection } from './connection.ts'
import { describeProviders, type ProviderDescription, type SignInDescription } from './connection-setup.ts'
import type { Field, Instruction, Values } from './connectors/connector.ts'

export function addCloudChanges(
  schema: Schema,
  provider: EnumOf<CloudProvider>,
  connection: TypeOf<CloudConnection>,
): void {
  addProviders(schema, provider)
  const value = valueType(schema)
  const input = schema.args((t) => ({
    connectionId: t.id({
      description:
        'One that cloudProviders proposed, to which its external id belongs; a new one unless given.',
    }),
    provider: t.field({ type: provider, required: true }),
    signIn: t.string({ required: true, description: 'One of those of cloudProviders.' }),
    values: t.field({
      type: [value],
      required: true,
      description: 'Settings and secrets, by the names of fields.',
    }),
  }))
  const check = checkType(schema)
  schema.mutationFields((t) => ({
    testCloudConnection: t.field({
      type: [check],
      description: 'Asks the provider for everything that the connection would read, once. Nothing is saved.',
      args: input,
      resolve: (_, args, ctx) => testConnection(ctx, connectionIn(args)),
    }),
    connectCloud: t.field({
      type: connection,
      description:
        'Tests the connection and saves it; one whose accounts cannot be listed is refused, and one whose role lets in anybody.',
      args: {
        name: t.arg.string({ required: true }),
        ...input,
        isTested: t.arg.boolean({
          description: 'The caller has just tested these values; nothing is asked again.',
        }),
      },
      resolve: (_, { name, isTested, ...args }, ctx) =>
        connectCloud(ctx, { ...connectionIn(args), name }, { isTested: isTested ?? false }),
    }),
  }))
  addChangesOfOne(schema, connection, value)
}

const valueType = (schema: Schema) =>
  schema.inputType('CloudValue', {
    fields: (t) => ({ name: t.string({ required: true }), value: t.string({ required: true }) }),
  })

function addChangesOfOne(
  schema: Schema,
  connection: TypeOf<CloudConnection>,
  value: ReturnType<typeof valueType>,
): void {
  const id = schema.args((t) => ({ id: t.id({ required: true }) }))
  schema.mutationFields((t) => ({
    updateCloudConnection: t.field({
      type: connection,
      description: 'Where it leads and how it signs in do not change: that is another connection.',
      args: {
        ...id,
        name: t.arg.string(),
        isEnabled: t.arg.boolean(),
        secrets: t.arg({ type: [value], description: 'All of them anew.' }),
      },
      resolve: (_, { id: of, secrets, ...changes }, ctx) =>
        updateConnection(ctx, of, { ...given(changes), ...(secrets && { secrets: valuesOf(secrets) }) }),
    }),
    deleteCloudConnection: t.field({
      type: 'ID',
      description: 'Its resources are no longer listed; the assets that it found stay.',
      args: id,
      resolve: (_, args, ctx) => deleteConnection(ctx, args.id).then(() => args.id),
    }),
    syncCloudConnection: t.field({
      type: connection,
      description: 'Reads everything now instead of at the next hour.',
      args: id,
      resolve: (_, args, ctx) => syncConnection(ctx, args.id),
    }),
  }))
}

function addProviders(schema: Schema, provider: EnumOf<CloudProvider>): void {
  const field = schema.objectRef<Field>('CloudField').implement({
    fields: (t) => ({
      name: t.exposeString('name'),
      label: t.exposeString('label'),
      help: t.string({ resolve: ({ help }) => help ?? '' }),
      isSecret: t.boolean({ resolve: ({ isSecret }) => isSecret === true }),
      isRequired: t.boolean({ resolve: ({ isRequired }) => isRequired === true }),
      isLong: t.boolean({ resolve: ({ isLong }) => isLong === true }),
    }),
  })
  const instruction = schema.objectRef<Instruction>('CloudInstruction').implement({
    description: 'A document or commands for the provider, to be pasted.',
    fields: (t) => ({ title: t.exposeString('title'), text: t.exposeString('text') }),
  })
  const signIn = schema.objectRef<SignInDescription>('CloudSignIn').implement({
    fields: (t) => ({
      name: t.exposeString('name'),
      label: t.exposeString('label'),
      fields: t.field({ type: [field], resolve: (it) => [...it.fields] }),
      instructions: t.field({
        type: [instruction],
        description: 'What is done at the provider first.',
        resolve: (it) => [...it.instructions],
      }),
      hides: t.field({
        type: ['String'],
        description: 'Names of fields of the provider that mean nothing for it.',
        resolve: ({ hides = [] }) => [...hides],
      }),
      warning: t.exposeString('warning', {
        description: 'Why it may not work with this installation; empty when nothing speaks against it.',
      }),
    }),
  })
  const description = descriptionType(schema, provider, { field, signIn })
  schema.queryField('cloudProviders', (t) =>
    t.field({ type: [description], resolve: (_, __, ctx) => describeProviders(ctx) }),
  )
}

interface DescriptionParts {
  readonly field: TypeOf<Field>
  readonly signIn: TypeOf<SignInDescription>
}

function descriptionType(
  schema: Schema,
  provider: EnumOf<CloudProvider>,
  { field, signIn }: DescriptionParts,
): TypeOf<ProviderDescription> {
  return schema.objectRef<ProviderDescription>('CloudProviderDescription').implement({
    description: 'What a connection to a provider is made of.',
    fields: (t) => ({
      provider: t.expose('provider', { type: provider }),
      signIns: t.field({ type: [signIn], resolve: (it) => [...it.signIns] }),
      fields: t.field({ type: [field], resolve: (it) => [...it.fields] }),
      costNote: t.exposeString('costNote', {
        description:
          'What has to be set up before costs are read, and what asking costs; empty where none are told.',
      }),
      needsCostTable: t.exposeBoolean('needsCostTable', {
        description: 'Costs are in a table that has to be named.',
      }),
      connectionId: t.exposeID('connectionId', { description: 'For the connection that is made next.' }),
      externalId: t.exposeString('externalId', {
        description: 'What trust policies of AWS roles ask for; it belongs to that connection.',
      }),
      issuer: t.exposeString('issuer', { description: 'Who signs the identity tokens of that connection.' }),
      subject: t.exposeString('subject', { description: 'Whom they name.' }),
    }),
  })
}

const checkType = (schema: Schema): TypeOf<ConnectionCheck> =>
  schema.objectRef<ConnectionCheck>('CloudConnectionCheck').implement({
    fields: (t) => ({
      account: t.exposeString('account', { description: 'Empty for what concerns all of them.' }),
      what: t.exposeString('what', { description: '`accounts`, `account`, or a type of resource.' }),
      isAllowed: t.exposeBoolean('isAllowed'),
      message: t.exposeString('message', {
        description: 'What the provider said; empty when it is allowed.',
      }),
      isRefused: t.exposeBoolean('isRefused', { description: 'With this the connection is not saved.' }),
    }),
  })

interface ConnectionArgs extends Pick<NewConnection, 'provider' | 'signIn'> {
  readonly connectionId?: string | null | undefined
  readonly values: readonly { readonly name: string; readonly value: string }[]
}

const connectionIn = ({ connectionId, values, ...rest }: ConnectionArgs) => ({
  ...rest,
  values: valuesOf(values),
  ...(connectionId != null && { id: connectionId }),
})

const valuesOf = (pairs: readonly { readonly name: string; readonly value: string }[]): Values =>
  Object.fromEntries(pairs.map(({ name, value }) => [name, value]))
