import { record } from '#features/audit/audit.ts'
import type { Ctx } from '#platform/context.ts'
import { notFound, Refusal } from '#platform/errors.ts'
import { ownPath } from '#platform/http/safe-redirect.ts'
import { newSecret, sha256 } from '#platform/secrets/random-keys.ts'
import * as accounts from '../accounts/account-store.ts'
import { asPerson, type Account } from '../accounts/accounts.ts'
import { domainOf, parseEmail } from '../accounts/email-address.ts'
import { countAttempt, forgiveAttempt } from '../sign-in/login-throttle.ts'
import { arrive, depart, discover, type Identity } from './oidc-client.ts'
import * as people from '../members/member-store.ts'
import { openSession, type From } from '../sessions/sessions.ts'
import { openSecret } from './oidc-settings.ts'
import * as store from './oidc-store.ts'

/** Where the browser goes, and the cookie that it must come back with. */
export interface Left {
  readonly location: string
  readonly cookie: string
}

/**
 * Begins at the provider of the organisation. The same answer for one that is not and one that has none. Who never
 * comes back has to wait, as one does who guesses passwords.
 */
export async function startSignOn(
  system: Ctx,
  { organisation, returnTo }: { organisation: string; returnTo: string },
  redirectUri: string,
  address: string,
): Promise<Left> {
  await countAttempt(system, address)
  const provider = await store.providerOf(system, organisation.trim().toLowerCase())
  if (!provider) throw notFound('single sign-on of this organisation')
  const configuration = await reach(system, provider)
  const { location, state, nonce, codeVerifier } = await depart(configuration, redirectUri)
  const cookie = newSecret()
  await store.depart(system, {
    stateHash: sha256(state),
    cookieHash: sha256(cookie),
    tenantId: provider.tenantId,
    nonce,
    codeVerifier,
    returnTo: ownPath(returnTo),
  })
  return { location, cookie }
}

/**
 * Ends the journey that this browser began, once, whatever comes of it. Answers the session's token, which is good for
 * the tenant of the provider alone.
 */
export async function finishSignOn(
  system: Ctx,
  { url, cookie }: { url: URL; cookie: string | undefined },
  from: From,
): Promise<{ readonly token: string; readonly returnTo: string }> {
  const state = url.searchParams.get('state') ?? ''
  const journey = await store.comeBack(system, sha256(state), sha256(cookie ?? ''))
  if (!journey) throw strange('sign_on_ended', 'the sign-in took too long or began elsewhere; begin again')
  const { tenantId, returnTo, ...expected } = journey
  const ctx = { ...system, tenantId }
  const provider = await store.provider(ctx)
  if (!provider) throw notFound('single sign-on of this organisation')
  const configuration = await reach(ctx, provider)
  const identity = await arrive(configuration, url, { state, ...expected }).catch((error: unknown) => {
    system.log.warn({ err: error, issuer: provider.issuer }, 'single sign-on failed')
    throw strange('sign_on_refused', 'the identity provider did not confirm who you are')
  })
  const token = await letIn(ctx, provider, identity, from)
  await forgiveAttempt(system, from.address)
  return { token, returnTo }
}

async function reach(system: Ctx, provider: store.Provider) {
  const clientSecret = openSecret(system, provider)
  return discover(system.net, { ...provider, clientSecret }).catch((error: unknown) => {
    system.log.warn({ err: error, issuer: provider.issuer }, 'identity provider not reached')
    throw new Refusal(
      502,
      'provider_unreachable',
      'the identity provider of the organisation does not answer',
    )
  })
}

function letIn(system: Ctx, provider: store.Provider, identity: Identity, from: From): Promise<string> {
  const { tenantId, issuer } = provider
  const email = believed(provider, identity)
  return system.db.transaction(async (db) => {
    const inner = { ...system, db }
    const account = await accountOf(inner, provider, { ...identity, email }, from)
    if (!(await store.isMember(inner, account.id)))
      throw strange('not_a_member', 'you were removed from the organisation; ask its administrator')
    await accounts.noteSignIn(inner, account.id)
    const acting = asPerson(inner, account, from.address)
    await record(acting, 'user.signed_in', { type: 'user', id: account.id }, { email, issuer })
    const wanted = { userId: account.id, tenantId, boundTo: tenantId, awaitsCode: false }
    return openSession(inner, wanted, from)
  })
}

/** Only an address that the provider has verified, and only of the domains that the tenant named. */
function believed({ domains }: store.Provider, { email, isEmailVerified }: Identity): string {
  if (!email || !isEmailVerified)
    throw strange('email_not_verified', 'the identity provider has not verified your e-mail address')
  const parsed = parseEmail(email)
  if (!domains.includes(domainOf(parsed)))
    throw strange('email_of_others', 'your e-mail address is of another organisation')
  return parsed
}

/**
 * By subject, when it has come before. Else an address means a person only if that person is in this tenant already;
 * nobody else's account is ever opened or touched, and who is new gets one that belongs to the tenant.
 */
async function accountOf(
  system: Ctx,
  { tenantId, issuer, roleId }: store.Provider,
  { subject, email, name }: Identity & { readonly email: string },
  { address }: From,
): Promise<Account> {
  const known = await store.known(system, issuer, subject)
  if (known !== undefined) return accounts.byId(system, known)
  const member = await store.memberWith(system, email)
  const account =
    member === undefined
      ? await accounts.add(system, {
          email,
          name: name.slice(0, 200),
          passwordHash: null,
          managedBy: tenantId,
        })
      : await accounts.byId(system, member)
  if (!account)
    throw strange('email_taken', 'your e-mail address belongs to another identity of the same provider')
  await store.addIdentity(system, issuer, subject, account.id)
  if (member === undefined) await people.add(system, account.id, roleId)
  const action = member === undefined ? 'user.created' : 'user.linked'
  const acting = asPerson(system, account, address)
  await record(acting, action, { type: 'user', id: account.id }, { email, issuer, subject })
  return account
}

const strange = (code: string, sentence: string): Refusal => new Refusal(401, code, sentence)
