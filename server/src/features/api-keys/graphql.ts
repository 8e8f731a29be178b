import { lifetimeOf } from '#platform/graphql/lifetime.ts'
import { given, type EnumOf, type Schema, type TypeOf } from '#platform/graphql/schema.ts'
import { createKey, listKeys, revokeKey, rotateKey } from './api-keys.ts'
import type { ApiKey, IssuedKey } from './api-key.ts'
import { allScopes, type Scope } from './scopes.ts'

export function graphql(schema: Schema): void {
  const scope = schema.enumType('KeyScope', { values: scopeValues })
  const key = schema.objectRef<ApiKey>('ApiKey').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.exposeString('name'),
      prefix: t.exposeString('prefix', { description: 'First characters of the key, for display.' }),
      scopes: t.field({ type: [scope], resolve: ({ scopes }) => scopes }),
      where: t.exposeString('where', {
        nullable: true,
        description: 'A condition: the key sees only assets for which it is true; null: all.',
      }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true, description: 'Null: never.' }),
      isExpired: t.exposeBoolean('isExpired'),
      revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true }),
      lastUsedAt: t.expose('lastUsedAt', {
        type: 'DateTime',
        nullable: true,
        description: 'At most five minutes out of date.',
      }),
    }),
  })
  schema.queryField('apiKeys', (t) =>
    t.field({
      type: [key],
      description: 'Newest first, including expired and revoked ones.',
      resolve: (_, __, ctx) => listKeys(ctx),
    }),
  )
  schema.mutationField('revokeApiKey', (t) =>
    t.field({
      type: key,
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => revokeKey(ctx, id),
    }),
  )
  addIssuing(schema, issuedType(schema, key), scope)
}

function addIssuing(schema: Schema, issued: TypeOf<IssuedKey>, scope: EnumOf<Scope>): void {
  schema.mutationFields((t) => ({
    createApiKey: t.field({
      type: issued,
      args: {
        name: t.arg.string({ required: true }),
        scopes: t.arg({ type: [scope], required: true }),
        where: t.arg.string({ description: 'A condition: the key sees only assets for which it is true.' }),
        ...expiry(schema),
      },
      resolve: (_, { name, scopes, where, expiresInDays, never }, ctx) =>
        createKey(ctx, {
          name,
          scopes,
          where,
          ...given({ expiresInDays: lifetimeOf(expiresInDays, never) }),
        }),
    }),
    rotateApiKey: t.field({
      type: issued,
      description: 'Replaces the key; the old one is refused at once. Fields that are omitted stay.',
      args: {
        id: t.arg.id({ required: true }),
        name: t.arg.string(),
        scopes: t.arg({ type: [scope] }),
        where: t.arg.string({ description: 'Empty: the key sees all assets.' }),
        ...expiry(schema),
      },
      resolve: (_, { id, name, scopes, where, expiresInDays, never }, ctx) =>
        rotateKey(ctx, id, given({ name, scopes, where, expiresInDays: lifetimeOf(expiresInDays, never) })),
    }),
  }))
}

/** GraphQL's names have no colon. */
const scopeValues = Object.fromEntries(
  allScopes.map((value) => [value.replaceAll(':', '_'), { value }]),
) as Record<string, { value: Scope }>

function issuedType(schema: Schema, key: TypeOf<ApiKey>): TypeOf<IssuedKey> {
  return schema.objectRef<IssuedKey>('IssuedApiKey').implement({
    fields: (t) => ({
      apiKey: t.expose('key', { type: key }),
      secret: t.exposeString('secret', { description: 'The full key, returned once.' }),
    }),
  })
}

const expiry = (schema: Schema) =>
  schema.args((t) => ({
    expiresInDays: t.int({
      description: 'Default: 90 for a new key, the remaining lifetime for a rotated one.',
    }),
    never: t.boolean({ required: true, defaultValue: false, description: 'It never expires.' }),
  }))
