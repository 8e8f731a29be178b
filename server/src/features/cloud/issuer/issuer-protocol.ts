import type { ProtocolReply, ProtocolRoute } from '#platform/protocols/protocol-routes.ts'
import { ISSUER_PATH, issuerOf, publishedKeys } from './issuer.ts'

/** What cloud providers read of the issuer, without authentication (OpenID Connect Discovery 1.0 §4, RFC 7517). */
export const protocols: readonly ProtocolRoute[] = [
  {
    path: `${ISSUER_PATH}/.well-known/openid-configuration`,
    handle: async ({ system }) => {
      const issuer = issuerOf(system)
      return json({
        issuer,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['id_token'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        claims_supported: ['iss', 'sub', 'aud', 'iat', 'nbf', 'exp'],
      })
    },
  },
  {
    path: `${ISSUER_PATH}/jwks`,
    handle: async ({ system }) => json({ keys: await publishedKeys(system) }),
  },
]

const json = (content: object): ProtocolReply => ({
  mediaType: 'application/json; charset=utf-8',
  // a key is published a month before it signs
  headers: { 'cache-control': 'public, max-age=3600' },
  content: JSON.stringify(content),
})
