import { record } from '#features/audit/audit.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { invalid, notFound } from '#platform/errors.ts'
import { tenantAccessTopic } from '../sessions/access-revoked-topics.ts'
import { discover } from './oidc-client.ts'
import { grantableRole } from '../roles/roles.ts'
import type { OidcProvider, SignOn, NewSignOn } from './oidc-provider.ts'
import * as store from './oidc-store.ts'

const TEXT_LENGTH_MAX = 500
const DOMAIN = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/

/**
 * For the sign-in page, without authentication: whether a tenant offers single sign-on, and its slug if it is the
 * only tenant.
 */
export const offeredSignOn = (system: Ctx): Promise<{ organisation: string | null } | undefined> =>
  store.offered(system)

export async function getSignOn(ctx: Ctx): Promise<SignOn | undefined> {
  permit(ctx, 'settings:read')
  return store.settings(ctx)
}

/**
 * Needs the permissions for users and for settings, because the provider decides who can sign in. Discovery is tried
 * before anything is stored.
 */
export async function setSignOn(ctx: Ctx, input: NewSignOn): Promise<SignOn> {
  permit(ctx, 'settings:write')
  permit(ctx, 'users:write')
  const wanted = checked(input)
  const clientSecret = await secretFor(ctx, wanted, input.clientSecret)
  await discover(ctx.net, { ...wanted, clientSecret }).catch((error: unknown) => {
    ctx.log.info({ err: error, issuer: wanted.issuer }, 'no identity provider')
    throw invalid('issuer', 'does not answer as an OpenID Connect provider of this name')
  })
  return atomically(ctx, async (inner) => {
    const before = await store.settings(inner)
    const role = await grantableRole(inner, 'roleId', input.roleId)
    const sealed = inner.seal.seal(clientSecret, sealContext(inner.tenantId))
    await store.put(inner, { ...wanted, clientSecret: sealed, roleId: role.id })
    const after = await store.settings(inner)
    if (!after) throw new Error('the provider is gone')
    await record(inner, 'sign_on.updated', subject(inner), { before: before ?? null, after })
    return after
  })
}

/** Ends all sessions that the provider opened. */
export async function deleteSignOn(ctx: Ctx): Promise<void> {
  permit(ctx, 'settings:write')
  permit(ctx, 'users:write')
  await atomically(ctx, async (inner) => {
    const before = await store.settings(inner)
    if (!before || !(await store.remove(inner))) throw notFound('single sign-on')
    inner.db.afterCommit(tenantAccessTopic(inner.tenantId))
    await record(inner, 'sign_on.deleted', subject(inner), { before })
  })
}

export const openClientSecret = (system: Ctx, { tenantId, clientSecret }: OidcProvider): string =>
  system.seal.open(clientSecret, sealContext(tenantId))

function checked({
  issuer,
  clientId,
  domains,
}: NewSignOn): Pick<NewSignOn, 'issuer' | 'clientId' | 'domains'> {
  const isUrl = URL.canParse(issuer) && /^https?:$/.test(new URL(issuer).protocol)
  if (!isUrl || issuer.length > TEXT_LENGTH_MAX)
    throw invalid('issuer', 'must be the https address of the provider')
  if (clientId.trim() === '' || clientId.length > TEXT_LENGTH_MAX)
    throw invalid('clientId', `must have 1 to ${TEXT_LENGTH_MAX} characters`)
  const lower = [...new Set(domains.map((it) => it.trim().toLowerCase()))]
  if (lower.length === 0) throw invalid('domains', 'at least one: whose addresses the provider vouches for')
  const wrong = lower.find((it) => !DOMAIN.test(it))
  if (wrong !== undefined) throw invalid('domains', `${wrong} is no domain`)
  return { issuer, clientId: clientId.trim(), domains: lower }
}

/** A stored secret is reused only for the issuer it was entered for; a new issuer requires a new secret. */
async function secretFor(
  ctx: Ctx,
  { issuer }: { issuer: string },
  given: string | undefined,
): Promise<string> {
  if (given !== undefined && given !== '') {
    if (given.length > TEXT_LENGTH_MAX)
      throw invalid('clientSecret', `must have at most ${TEXT_LENGTH_MAX} characters`)
    return given
  }
  const before = await store.provider(ctx)
  if (!before || before.issuer !== issuer) throw invalid('clientSecret', 'is required')
  return openClientSecret(ctx, before)
}

/** Associated data of the encrypted client secret. */
export const sealContext = (tenantId: string): string => `sign_on_providers.client_secret ${tenantId}`
const subject = ({ tenantId }: Ctx) => ({ type: 'sign_on', id: tenantId })
