import type { Ctx } from '#platform/context.ts'
import { notFound } from '#platform/errors.ts'
import { safeRedirectPath } from '#platform/http/safe-redirect.ts'
import { newSecret, sha256 } from '#platform/secrets/random-keys.ts'
import { countAttempt } from '../sign-in/login-throttle.ts'
import { authorizationRequest } from './oidc-client.ts'
import { discoverProvider } from './oidc-discovery.ts'
import * as store from './oidc-store.ts'

/** The authorization URL, and the cookie that binds the response to this browser. */
export interface Redirection {
  readonly location: string
  readonly cookie: string
}

/**
 * Starts the authorization code flow. 404 both for an unknown tenant and for one without a provider. A start that is
 * not completed counts as a failed sign-in of the client address.
 */
export async function startSignOn(
  system: Ctx,
  { organisation, returnTo }: { organisation: string; returnTo: string },
  redirectUri: string,
  address: string,
): Promise<Redirection> {
  await countAttempt(system, address)
  const provider = await store.providerOf(system, organisation.trim().toLowerCase())
  if (!provider) throw notFound('single sign-on of this organisation')
  const configuration = await discoverProvider(system, provider)
  const { location, state, nonce, codeVerifier } = await authorizationRequest(configuration, redirectUri)
  const cookie = newSecret()
  await store.addPending(system, {
    stateHash: sha256(state),
    cookieHash: sha256(cookie),
    tenantId: provider.tenantId,
    nonce,
    codeVerifier,
    returnTo: safeRedirectPath(returnTo),
  })
  return { location, cookie }
}
