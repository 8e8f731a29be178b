import {
  given,
  pageArgs,
  pageFrom,
  pageType,
  perItem,
  type EnumOf,
  type Schema,
  type TypeOf,
} from '#platform/graphql/schema.ts'
import type { CredentialKind } from './credential.ts'
import {
  createCredential,
  deleteCredential,
  listCredentials,
  resetCredential,
  updateCredential,
} from './credentials.ts'
import type { CredentialInfo } from './credential-info.ts'
import { addHostKeys } from './graphql/host-keys.ts'
import { addKnownHosts } from './graphql/known-hosts.ts'
import { credentialKinds } from './credential-kinds.ts'

export function graphql(schema: Schema): void {
  const kind = schema.enumType('CredentialKind', { values: credentialKinds })
  addCredentials(schema, credentialType(schema, kind), kind)
  addHostKeys(schema)
  addKnownHosts(schema)
}

const credentialType = (schema: Schema, kind: EnumOf<CredentialKind>): TypeOf<CredentialInfo> =>
  schema.objectRef<CredentialInfo>('Credential').implement({
    description: 'A secret with which scans log in to hosts. It can be replaced, and never read.',
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.exposeString('name'),
      kind: t.expose('kind', { type: kind }),
      settings: t.field({
        type: 'JSON',
        description: 'The fields that are not secret.',
        resolve: ({ settings }) => settings,
      }),
      port: t.exposeInt('port', { nullable: true, description: 'Null: the default port.' }),
      asksOnUnknownHost: t.exposeBoolean('asksOnUnknownHost', {
        description:
          'The key or certificate of an unknown host must be approved before the secret is sent. Always false where no secret is sent.',
      }),
      cidrs: t.field({ type: ['String'], resolve: ({ cidrs }) => cidrs }),
      targetIds: t.field({ type: ['ID'], resolve: ({ targetIds }) => targetIds }),
      isCollectorOnly: t.exposeBoolean('isCollectorOnly', {
        description: 'The server cannot open the secret; the collectors of collectorIds can.',
      }),
      collectorIds: t.field({
        type: ['ID'],
        description: 'Collectors that can open the secret in place of the server.',
        resolve: ({ collectorIds }) => collectorIds,
      }),
      setAsideUntil: t.expose('setAsideUntil', {
        type: 'DateTime',
        nullable: true,
        description: 'Not used until then, because too many hosts refused it; null when it is in use.',
      }),
      setAsideBecause: t.exposeString('setAsideBecause', { nullable: true }),
      worksOn: t.exposeInt('worksOn', {
        description: 'Number of addresses where its last use was accepted.',
      }),
      refusedOn: t.exposeInt('refusedOn', {
        description: 'Number of addresses where its last use was refused.',
      }),
      lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true }),
      lastAcceptedAt: t.expose('lastAcceptedAt', { type: 'DateTime', nullable: true }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    }),
  })

/** Which of them a kind has, it says itself when one is missing or too much. */
const valueArgs = (schema: Schema) =>
  schema.args((t) => ({
    username: t.string(),
    password: t.string(),
    privateKey: t.string({ description: 'OpenSSH or PEM.' }),
    passphrase: t.string(),
    version: t.string({ description: 'Of SNMP: 1 or 2c.' }),
    community: t.string(),
    authProtocol: t.string({ description: 'sha256 unless given.' }),
    authPassword: t.string(),
    privacyProtocol: t.string({ description: 'aes unless given.' }),
    privacyPassword: t.string(),
    context: t.string(),
    transport: t.string({ description: 'Of WinRM: https or http; encrypted in both cases.' }),
    tokenId: t.string({ description: 'USER@REALM!NAME' }),
    secret: t.string(),
    certificate: t.string(),
    authority: t.string({ description: 'The CA that must have signed the certificate of the host, PEM.' }),
  }))

function addCredentials(schema: Schema, type: TypeOf<CredentialInfo>, kind: EnumOf<CredentialKind>): void {
  const page = pageType(schema, 'CredentialPage', type)
  const id = schema.args((t) => ({ id: t.id({ required: true }) }))
  schema.queryFields((t) => ({
    credentials: t.field({
      type: page,
      description: 'By name.',
      args: pageArgs(schema),
      complexity: perItem,
      resolve: (_, args, ctx) => listCredentials(ctx, pageFrom(args)),
    }),
  }))
  addWriting(schema, type, kind)
  schema.mutationFields((t) => ({
    deleteCredential: t.field({
      type: 'ID',
      args: id,
      resolve: (_, args, ctx) => deleteCredential(ctx, args.id).then(() => args.id),
    }),
    resetCredential: t.field({
      type,
      description: 'Uses the credential again, after it was set aside.',
      args: id,
      resolve: (_, args, ctx) => resetCredential(ctx, args.id),
    }),
  }))
}

const COLLECTORS =
  'Collectors that alone can open the secret, which is encrypted for them and kept nowhere else; none: the server can. They are told with the secret, and can be taken off without it.'

function addWriting(schema: Schema, type: TypeOf<CredentialInfo>, kind: EnumOf<CredentialKind>): void {
  schema.mutationFields((t) => ({
    createCredential: t.field({
      type,
      args: {
        name: t.arg.string({ required: true }),
        kind: t.arg({ type: kind, required: true }),
        cidrs: t.arg.stringList({ required: true, defaultValue: [] }),
        targetIds: t.arg.idList({ required: true, defaultValue: [] }),
        port: t.arg.int(),
        asksOnUnknownHost: t.arg.boolean({ description: 'Absent: true wherever a secret is sent.' }),
        collectorIds: t.arg.idList({ description: COLLECTORS }),
        ...valueArgs(schema),
      },
      resolve: (_, { name, kind: wanted, cidrs, targetIds, ...rest }, ctx) => {
        const { port, asksOnUnknownHost, collectorIds, ...values } = rest
        const optional = given({ asksOnUnknownHost, collectorIds })
        const bindings = { cidrs, targetIds, port: port ?? null }
        return createCredential(ctx, { ...optional, ...bindings, name, kind: wanted, values: given(values) })
      },
    }),
    updateCredential: t.field({
      type,
      description: 'Absent arguments stay unchanged. A new network, target or port needs the secret again.',
      args: {
        id: t.arg.id({ required: true }),
        name: t.arg.string(),
        cidrs: t.arg.stringList(),
        targetIds: t.arg.idList(),
        port: t.arg.int({ description: 'Null: the default port.' }),
        asksOnUnknownHost: t.arg.boolean(),
        collectorIds: t.arg.idList({ description: COLLECTORS }),
        ...valueArgs(schema),
      },
      resolve: (_, { id, name, cidrs, targetIds, port, asksOnUnknownHost, collectorIds, ...values }, ctx) =>
        updateCredential(ctx, id, {
          ...given({ name, cidrs, targetIds, asksOnUnknownHost, collectorIds }),
          ...(port !== undefined && { port }),
          values: given(values),
        }),
    }),
  }))
}
