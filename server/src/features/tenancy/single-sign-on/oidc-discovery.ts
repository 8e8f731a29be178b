import type { Ctx } from '#platform/context.ts'
import { Refusal } from '#platform/errors.ts'
import { discover } from './oidc-client.ts'
import type { OidcProvider } from './oidc-provider.ts'
import { openClientSecret } from './oidc-settings.ts'

/** The provider's metadata (OpenID Connect Discovery §4). Refuses with 502 when the provider does not answer. */
export async function discoverProvider(system: Ctx, provider: OidcProvider) {
  const clientSecret = openClientSecret(system, provider)
  return discover(system.net, { ...provider, clientSecret }).catch((error: unknown) => {
    system.log.warn({ err: error, issuer: provider.issuer }, 'identity provider not reached')
    throw new Refusal(
      502,
      'provider_unreachable',
      'the identity provider of the organisation does not answer',
    )
  })
}
