import type { Ctx } from '#platform/context.ts'
import { forbidden, Refusal, tooMany } from '#platform/errors.ts'
import { countedAddress } from '#platform/http/client-address.ts'
import { isOver } from '#platform/http/rate-limit.ts'
import type { ProtocolRequest } from '#platform/protocols/protocol-routes.ts'
import { sha256 } from '#platform/secrets/random-keys.ts'
import { isFrom, TOKEN_FORM } from './enrolment-token.ts'
import * as store from './token-store.ts'

/** Of one token, from all its agents together: 100 a second. Their load is steered by the interval they are told. */
const REQUESTS_PER_MINUTE = 6_000
/** From one address with secrets that are not known. */
const UNKNOWN_PER_MINUTE = 100
/** OCS agents send their credentials for a realm of this name alone. */
const REALM = { 'www-authenticate': 'Basic realm="Rollcall"' }

/** A token that was shown, and the context in which its reports are taken. */
export interface TokenContext {
  readonly ctx: Ctx
  readonly tokenId: string
  readonly tags: readonly string[]
}

/**
 * Who reports, by the token in the path or by the password of HTTP Basic (RFC 7617). Refusals: 401 without a token, 403
 * for one that is unknown, expired, revoked or not for this network, all in the same words; 429 over the limit.
 */
export async function authenticate(request: ProtocolRequest): Promise<TokenContext> {
  const secret = request.params['token'] ?? passwordOf(request.headers.authorization)
  if (secret === undefined)
    throw new Refusal(401, 'unauthorized', 'an enrolment token is required', { headers: REALM })
  return authenticateSecret(request, secret)
}

/** As `authenticate`, by a secret that stands in the body. */
export async function authenticateSecret(request: ProtocolRequest, secret: string): Promise<TokenContext> {
  const { system, address } = request
  const holder = FORM.test(secret) ? await store.holderOf(system, sha256(secret)) : undefined
  if (!holder || !isFrom(holder.networks, address)) {
    await refuseOver(system, `unknown enrolment token ${countedAddress(address)}`, UNKNOWN_PER_MINUTE)
    throw forbidden('the enrolment token is not valid here')
  }
  await refuseOver(system, `enrolment token ${holder.id}`, REQUESTS_PER_MINUTE)
  if (holder.isUseDue) await store.touch(system, holder)
  const may = (permission: string): boolean => MAY.has(permission)
  const actor = { kind: 'system', id: `enrolment token ${holder.id}`, address, may } as const
  return { ctx: request.contextFor(holder.tenantId, actor), tokenId: holder.id, tags: holder.tags }
}

const FORM = new RegExp(`^${TOKEN_FORM}$`)
const MAY: ReadonlySet<string> = new Set(['assets:write', 'assets:read'])

/** Throws 429 from the request on that is one too many in this minute, counted over all nodes. */
export async function refuseOver(system: Ctx, bucket: string, limit: number): Promise<void> {
  const allowance = await store.count(system, sha256(bucket), limit)
  if (isOver(allowance)) throw tooMany(allowance.secondsLeft)
}

function passwordOf(authorization: string | undefined): string | undefined {
  const [, encoded] = /^Basic +([A-Za-z0-9+/=]{1,1024})$/i.exec(authorization ?? '') ?? []
  if (encoded === undefined) return undefined
  const pair = Buffer.from(encoded, 'base64').toString('utf8')
  return pair.slice(pair.indexOf(':') + 1)
}
