import { record } from '#features/audit/audit.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { forbidden, notFound } from '#platform/errors.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { newSecret, prefixOf, sha256 } from '#platform/secrets/random-keys.ts'
import { isUuid } from '#platform/uuid.ts'
import { findPartner, holdPartner } from './partner-access.ts'
import { parseNewKey, type IssuedPartnerKey, type NewPartnerKey, type PartnerKey } from './partner-key.ts'
import * as store from './partner-key-store.ts'
import { holdsScope } from './partner-scopes.ts'

const KEY_PREFIX = 'pk_'

/** A partner key issues only scopes that it holds itself, and none that outlives it; else 403. */
export async function createPartnerKey(
  ctx: Ctx,
  partnerId: string,
  input: NewPartnerKey,
): Promise<IssuedPartnerKey> {
  permit(ctx, 'partners:write')
  const fields = parseNewKey(input)
  const { confined } = ctx.actor
  const beyond = confined && fields.scopes.find((scope) => !holdsScope(confined.scopes, scope))
  if (beyond !== undefined) throw forbidden(`this key cannot grant: ${beyond}`)
  return atomically(ctx, async (ctx) => {
    const partner = await holdPartner(ctx, partnerId)
    const random = newSecret()
    const secret = KEY_PREFIX + random
    const key = await store.add(ctx, {
      ...fields,
      partnerId: partner.id,
      keyHash: sha256(secret),
      prefix: KEY_PREFIX + prefixOf(random),
      issuedBy: confined ? ctx.actor.id : null,
    })
    await record(ctx, 'partner_key.created', subject(key.id), describe(partner.id, key))
    return { key, secret }
  })
}

/** Newest first, expired ones included, revoked ones not. */
export async function listPartnerKeys(ctx: Ctx, partnerId: string, page: Page): Promise<Listed<PartnerKey>> {
  permit(ctx, 'partners:read')
  const { id } = await findPartner(ctx, partnerId)
  return store.keys(ctx, id, page)
}

/** The key is refused from the next request on, on every node. 404 for one that is revoked already. */
export async function revokePartnerKey(ctx: Ctx, partnerId: string, keyId: string): Promise<PartnerKey> {
  permit(ctx, 'partners:write')
  return atomically(ctx, async (ctx) => {
    const { id } = await findPartner(ctx, partnerId)
    const key = isUuid(keyId) ? await store.revoke(ctx, id, keyId) : undefined
    if (!key) throw notFound('key')
    await record(ctx, 'partner_key.revoked', subject(key.id), describe(id, key))
    return key
  })
}

/** For other features at work for the tenant, whatever has become of the key. */
export const partnerKeyById = (ctx: Ctx, id: string): Promise<store.KeyOfPartner | undefined> =>
  store.ofPartner(ctx, id)

const subject = (id: string) => ({ type: 'partner_key', id })

const describe = (partnerId: string, { name, prefix, scopes, expiresAt }: PartnerKey) => ({
  name,
  prefix,
  scopes,
  expiresAt,
  partnerId,
})
