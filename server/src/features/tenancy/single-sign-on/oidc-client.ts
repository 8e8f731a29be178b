import * as client from 'openid-client'
import type { Net } from '#platform/egress/net.ts'

/** The client registration of this installation at an identity provider. */
export interface ClientRegistration {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

/** The authorization request, and the values that the response is checked against. */
export interface AuthorizationRequest {
  readonly location: string
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

/** Claims of the person who signed in. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
  readonly email: string | undefined
  readonly isEmailVerified: boolean
  readonly name: string
}

const SCOPE = 'openid email profile'
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:|\/|$)/

/** Reads the provider metadata (OpenID Connect Discovery §4). Throws when there is none, or its issuer differs. */
export function discover(
  net: Net,
  { issuer, clientId, clientSecret }: ClientRegistration,
): Promise<client.Configuration> {
  return client.discovery(
    new URL(issuer),
    clientId,
    { client_secret: clientSecret },
    secretBy(clientSecret),
    {
      [client.customFetch]: (url, { body, method, headers }) =>
        net.fetch(new URL(url), {
          method,
          headers,
          body: body instanceof URLSearchParams ? body.toString() : undefined,
        }),
      execute: [
        client.enableNonRepudiationChecks,
        // Plain HTTP is allowed for an issuer on a loopback address, for development.
        ...(LOOPBACK.test(issuer) ? [client.allowInsecureRequests] : []),
      ],
    },
  )
}

/** RFC 9700 §2.1.1: authorization code flow, always with PKCE, whatever the provider's metadata say. */
export async function authorizationRequest(
  configuration: client.Configuration,
  redirectUri: string,
): Promise<AuthorizationRequest> {
  const [state, nonce, codeVerifier] = [
    client.randomState(),
    client.randomNonce(),
    client.randomPKCECodeVerifier(),
  ]
  const location = client.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: SCOPE,
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  })
  return { location: location.href, state, nonce, codeVerifier }
}

/** Validates state, code, ID token and its signature; throws if any is invalid. */
export async function exchangeCode(
  configuration: client.Configuration,
  url: URL,
  expected: Pick<AuthorizationRequest, 'state' | 'nonce' | 'codeVerifier'>,
): Promise<Identity> {
  const tokens = await client.authorizationCodeGrant(configuration, url, {
    expectedState: expected.state,
    expectedNonce: expected.nonce,
    pkceCodeVerifier: expected.codeVerifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (!claims) throw new Error('no ID token')
  const more = await moreClaims(configuration, tokens.access_token, claims)
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: typeof more['email'] === 'string' ? more['email'] : undefined,
    isEmailVerified: more['email_verified'] === true,
    name: typeof more['name'] === 'string' ? more['name'] : '',
  }
}

/**
 * The provider may return the address in the ID token or at the UserInfo endpoint (OpenID Connect Core §5.3); `sub`
 * must be the same.
 */
async function moreClaims(
  configuration: client.Configuration,
  accessToken: string,
  claims: client.IDToken,
): Promise<client.IDToken | client.UserInfoResponse> {
  if (claims['email'] !== undefined || !configuration.serverMetadata().userinfo_endpoint) return claims
  return client.fetchUserInfo(configuration, accessToken, claims.sub)
}

/** OpenID Connect Core §9: client_secret_basic, unless the provider supports only client_secret_post. */
function secretBy(secret: string): client.ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)]
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported
    const isPost = methods?.includes('client_secret_post') && !methods.includes('client_secret_basic')
    return (isPost ? post : basic)(server, ...rest)
  }
}
