import { record } from '#features/audit/audit.ts'
import type { Ctx } from '#platform/context.ts'
import { notFound, Refusal } from '#platform/errors.ts'
import { sha256 } from '#platform/secrets/random-keys.ts'
import { shortened } from '#platform/validation/shortened.ts'
import type { Account } from '../accounts/account.ts'
import * as accounts from '../accounts/account-store.ts'
import { asUser } from '../accounts/accounts.ts'
import { domainOf, parseEmail } from '../accounts/email-address.ts'
import * as members from '../members/member-store.ts'
import type { ClientInfo } from '../sessions/session.ts'
import { openSession } from '../sessions/sessions.ts'
import { uncountAttempt } from '../sign-in/login-throttle.ts'
import { exchangeCode, type Identity } from './oidc-client.ts'
import { discoverProvider } from './oidc-discovery.ts'
import type { OidcProvider } from './oidc-provider.ts'
import * as store from './oidc-store.ts'

/**
 * Handles the authorization response. Deletes the pending sign-on of this browser, also on failure. Returns the
 * session's token, valid only in the tenant of the provider.
 */
export async function finishSignOn(
  system: Ctx,
  { url, cookie }: { url: URL; cookie: string | undefined },
  from: ClientInfo,
): Promise<{ readonly token: string; readonly returnTo: string }> {
  const state = url.searchParams.get('state') ?? ''
  const pending = await store.claimPending(system, sha256(state), sha256(cookie ?? ''))
  if (!pending) throw refused('sign_on_ended', 'the sign-in took too long or began elsewhere; begin again')
  const { tenantId, returnTo, ...expected } = pending
  const ctx = { ...system, tenantId }
  const provider = await store.provider(ctx)
  if (!provider) throw notFound('single sign-on of this organisation')
  const configuration = await discoverProvider(ctx, provider)
  const identity = await exchangeCode(configuration, url, { state, ...expected }).catch((error: unknown) => {
    system.log.warn({ err: error, issuer: provider.issuer }, 'single sign-on failed')
    throw refused('sign_on_refused', 'the identity provider did not confirm who you are')
  })
  const token = await completeSignIn(ctx, provider, identity, from)
  await uncountAttempt(system, from.address)
  return { token, returnTo }
}

function completeSignIn(
  system: Ctx,
  provider: OidcProvider,
  identity: Identity,
  from: ClientInfo,
): Promise<string> {
  const { tenantId, issuer } = provider
  const email = verifiedEmail(provider, identity)
  return system.db.transaction(async (db) => {
    const inner = { ...system, db }
    const account = await accountOf(inner, provider, { ...identity, email }, from)
    if (!(await store.isMember(inner, account.id)))
      throw refused('not_a_member', 'you were removed from the organisation; ask its administrator')
    await accounts.recordLastSignIn(inner, account.id)
    const acting = asUser(inner, account, from.address)
    await record(acting, 'user.signed_in', { type: 'user', id: account.id }, { email, issuer })
    const wanted = { userId: account.id, tenantId, boundTo: tenantId, awaitsCode: false }
    return openSession(inner, wanted, from)
  })
}

/** Accepts an address only with `email_verified` and in a domain that the tenant allows. */
function verifiedEmail({ domains }: OidcProvider, { email, isEmailVerified }: Identity): string {
  if (!email || !isEmailVerified)
    throw refused('email_not_verified', 'the identity provider has not verified your e-mail address')
  const parsed = parseEmail(email)
  if (!domains.includes(domainOf(parsed)))
    throw refused('email_of_others', 'your e-mail address is of another organisation')
  return parsed
}

/**
 * By `iss` and `sub` if linked before. Else the address is linked to an account only if that is a member of this tenant
 * already; otherwise a new account is created that the tenant manages. Other tenants' accounts are never touched.
 */
async function accountOf(
  system: Ctx,
  { tenantId, issuer, roleId }: OidcProvider,
  { subject, email, name }: Identity & { readonly email: string },
  { address }: ClientInfo,
): Promise<Account> {
  const known = await store.userIdOf(system, issuer, subject)
  if (known !== undefined) return accounts.byId(system, known)
  const member = await store.memberByEmail(system, email)
  const account =
    member === undefined
      ? await accounts.add(system, {
          email,
          name: shortened(name, 200),
          passwordHash: null,
          managedBy: tenantId,
        })
      : await accounts.byId(system, member)
  if (!account)
    throw refused('email_taken', 'your e-mail address belongs to another identity of the same provider')
  await store.addIdentity(system, issuer, subject, account.id)
  if (member === undefined) await members.add(system, account.id, roleId)
  const action = member === undefined ? 'user.created' : 'user.linked'
  const acting = asUser(system, account, address)
  await record(acting, action, { type: 'user', id: account.id }, { email, issuer, subject })
  return account
}

const refused = (code: string, sentence: string): Refusal => new Refusal(401, code, sentence)
