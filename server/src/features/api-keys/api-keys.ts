/** API keys: credentials of scripts for one tenant, each with scopes and an expiry. */
import { record } from '#features/audit/audit.ts'
import { keyOfCell } from '#platform/cells/cell.ts'
import { checkedName } from '#platform/validation/checked-name.ts'
import type { Authenticator } from '#platform/http/authentication.ts'
import { checkedLimit } from '#platform/conditions/limit.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, invalid, notFound } from '#platform/errors.ts'
import { newSecret, prefixOf, sha256 } from '#platform/secrets/random-keys.ts'
import { isUuid } from '#platform/uuid.ts'
import { EXPIRES_IN_DAYS_DEFAULT, expiryOf } from './api-key-expiry.ts'
import { allScopes, missingScope } from './scopes.ts'
import * as store from './store.ts'
import type { ApiKey, NewKey, IssuedKey, Expiry } from './api-key.ts'

const NAME_LENGTH_MAX = 200

/** Authentication by the X-API-Key header. */
export const apiKeyAuthentication: Authenticator = {
  kind: 'api_key',
  isPlausible: (credential) => /^[0-9a-f]{64}$/.test(credential),
  holderOf: store.holderOf,
  missingScope,
  used: store.touch,
}

export async function createKey(ctx: Ctx, input: NewKey): Promise<IssuedKey> {
  permit(ctx, 'api_keys:write')
  const { name, scopes, where } = await checked(ctx, input)
  const expiry = expiryOf(input.expiresInDays ?? EXPIRES_IN_DAYS_DEFAULT)
  return atomically(ctx, async (inner) => {
    const issued = await issue(inner, { name, scopes, where, expiry })
    await record(inner, 'api_key.created', subject(issued.key), describe(issued.key))
    return issued
  })
}

/** Newest first, expired and revoked ones included. */
export async function listKeys(ctx: Ctx): Promise<ApiKey[]> {
  permit(ctx, 'api_keys:read')
  return store.keys(ctx)
}

/** The key is refused from the next request on, on every node. Revoking twice is no error. */
export async function revokeKey(ctx: Ctx, id: string): Promise<ApiKey> {
  permit(ctx, 'api_keys:write')
  return atomically(ctx, async (inner) => {
    const key = await getKey(inner, id)
    const revoked = await store.revoke(inner, id)
    if (!revoked) return key
    await record(inner, 'api_key.revoked', subject(revoked), describe(revoked))
    return revoked
  })
}

/** Replaces the secret; the old one is refused at once. Fields that `changes` omits stay, including the expiry. */
export async function rotateKey(ctx: Ctx, id: string, changes: Partial<NewKey> = {}): Promise<IssuedKey> {
  permit(ctx, 'api_keys:write')
  return atomically(ctx, async (inner) => {
    const old = await getKey(inner, id)
    if (old.isExpired) throw conflict('the key has expired; create a new one')
    if (!(await store.revoke(inner, id))) throw conflict('the key is revoked already')
    const { name, scopes, where } = await checked(inner, { ...old, ...changes })
    const expiry =
      changes.expiresInDays === undefined ? { at: old.expiresAt } : expiryOf(changes.expiresInDays)
    const issued = await issue(inner, { name, scopes, where, expiry })
    await record(inner, 'api_key.rotated', subject(old), {
      ...describe(issued.key),
      replacedBy: issued.key.id,
    })
    return issued
  })
}

/** The tenant of the key with this id; for commands that are given no tenant. */
export async function tenantOfKey(system: Ctx, id: string): Promise<string> {
  permit(system, 'api_keys:read')
  const tenantId = isUuid(id) ? await store.tenantOf(system, id) : undefined
  if (tenantId === undefined) throw notFound('API key')
  return tenantId
}

/** For other features at work for the tenant, whatever has become of the key. */
export const keyById = (ctx: Ctx, id: string): Promise<ApiKey | undefined> => store.key(ctx, id)

async function getKey(ctx: Ctx, id: string): Promise<ApiKey> {
  const key = isUuid(id) ? await store.key(ctx, id) : undefined
  if (!key) throw notFound('API key')
  return key
}

async function issue(
  ctx: Ctx,
  wanted: Pick<ApiKey, 'name' | 'scopes' | 'where'> & { readonly expiry: Expiry },
): Promise<IssuedKey> {
  const secret = keyOfCell(newSecret(), ctx.cell)
  const createdBy = ctx.actor.kind === 'user' ? ctx.actor.id : null
  const key = await store.add(ctx, {
    ...wanted,
    createdBy,
    keyHash: sha256(secret),
    prefix: prefixOf(secret),
  })
  return { key, secret }
}

async function checked(
  ctx: Ctx,
  input: Pick<NewKey, 'name' | 'scopes' | 'where'>,
): Promise<Pick<ApiKey, 'name' | 'scopes' | 'where'>> {
  const name = checkedName('name', input.name, NAME_LENGTH_MAX)
  const unknown = input.scopes.find((scope) => !allScopes.some((known) => known === scope))
  if (unknown !== undefined) throw invalid('scopes', `${unknown} is not one of ${allScopes.join(', ')}`)
  const scopes = allScopes.filter((scope) => input.scopes.includes(scope))
  if (scopes.length === 0) throw invalid('scopes', `at least one of ${allScopes.join(', ')}`)
  return { name, scopes, where: await checkedLimit(ctx, 'asset', input.where) }
}

const subject = ({ id }: ApiKey) => ({ type: 'api_key', id })

const describe = ({ name, prefix, scopes, where, expiresAt }: ApiKey) => ({
  name,
  prefix,
  scopes,
  ...(where !== null && { where }),
  expiresAt,
})
