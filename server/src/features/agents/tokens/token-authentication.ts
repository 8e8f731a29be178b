import type { Ctx } from '#platform/context.ts'
import { forbidden, Refusal, tooMany } from '#platform/errors.ts'
import { countedAddress } from '#platform/http/client-address.ts'
import { isOver } from '#platform/http/rate-limit.ts'
import type { ProtocolRequest } from '#platform/protocols/protocol-routes.ts'
import { sha256 } from '#platform/secrets/random-keys.ts'
import { isUuid } from '#platform/uuid.ts'
import { isFrom, TOKEN_FORM } from './enrolment-token.ts'
import * as store from './token-store.ts'

/** Limit for one token, from all its agents together: 100 a second. The interval that agents are told keeps them far below. */
const REQUESTS_PER_MINUTE = 6_000
/** Limit for requests with unknown secrets from one address. */
const UNKNOWN_PER_MINUTE = 100
/** OCS agents send their credentials for a realm of this name alone. */
const REALM = { 'www-authenticate': 'Basic realm="Rollcall"' }

/** A token that was shown, and the context in which its reports are taken. */
export interface TokenContext {
  readonly ctx: Ctx
  readonly tokenId: string
  readonly tags: readonly string[]
  readonly needsApproval: boolean
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

/**
 * As `authenticate`, by the secret that our own agent sends when it enrols. Refusals: 401 `token` when no such token was made,
 * 403 `token_scope` with the reason when it may not be used for this, now, or from here.
 */
export async function authenticateEnrolment(request: ProtocolRequest, secret: string): Promise<TokenContext> {
  const holder = await holderOf(request, secret)
  const why = holder && reasonAgainst(holder, 'agent', request.address)
  if (holder && why === undefined) return contextOf(request, holder)
  await countRefused(request)
  if (!holder) await request.refuseMoved(sha256(secret))
  if (!holder) throw new Refusal(401, 'token', 'token: no such enrolment token')
  throw outOfScope(why ?? '')
}

/** Of a token that is known and does not fit: the person at the host is told why. */
export const outOfScope = (why: string): Refusal => new Refusal(403, 'token_scope', `token: ${why}`)

async function authenticateSecret(request: ProtocolRequest, secret: string): Promise<TokenContext> {
  const holder = await holderOf(request, secret)
  if (holder && reasonAgainst(holder, 'dropin', request.address) === undefined)
    return contextOf(request, holder)
  await countRefused(request)
  if (!holder) await request.refuseMoved(sha256(secret))
  throw forbidden('the enrolment token is not valid here')
}

/** By a secret of any form, such as one that was taken over from Fleet. Undefined where `authenticate` would refuse. */
export const authenticateEnrolSecret = async (
  request: ProtocolRequest,
  secret: string,
): Promise<TokenContext | undefined> => {
  const holder = await store.holderOf(request.system, sha256(secret))
  if (!holder) await request.refuseMoved(sha256(secret))
  return dropinContext(request, holder)
}

/** What a key that was given out with a token leads to. */
export interface KeyHolder<T> {
  readonly token: TokenContext
  readonly found: T
}

/**
 * By the ids of a tenant and its token, and by the key that was given out with it, which `find` looks up. The ids are known
 * to every host that ever had one: without such a key they count against the address, and use up nothing of the token.
 */
export async function authenticateKey<T>(
  request: ProtocolRequest,
  { tenantId, tokenId }: { readonly tenantId: string; readonly tokenId: string },
  find: (token: TokenContext) => Promise<T | undefined>,
): Promise<KeyHolder<T> | undefined> {
  const isForm = isUuid(tenantId) && isUuid(tokenId)
  const holder = isForm ? await store.holderById(request.system, tenantId, tokenId) : undefined
  if (holder && reasonAgainst(holder, 'dropin', request.address) === undefined) {
    const token = contextFor(request, holder)
    const found = await find(token)
    if (found !== undefined) {
      await countUse(request, holder)
      return { token, found }
    }
  }
  await countRefused(request)
  return undefined
}

async function dropinContext(
  request: ProtocolRequest,
  holder: store.TokenHolder | undefined,
): Promise<TokenContext | undefined> {
  if (holder && reasonAgainst(holder, 'dropin', request.address) === undefined)
    return contextOf(request, holder)
  await countRefused(request)
  return undefined
}

const holderOf = async ({ system }: ProtocolRequest, secret: string) =>
  FORM.test(secret) ? store.holderOf(system, sha256(secret)) : undefined

const unknownBucket = (address: string): string => `unknown enrolment token ${countedAddress(address)}`

const countRefused = ({ system, address }: ProtocolRequest): Promise<void> =>
  refuseOver(system, unknownBucket(address), UNKNOWN_PER_MINUTE)

/**
 * Throws 429 for an address that has shown too much that is not known in this minute, so that nothing large is read of it;
 * counts nothing.
 */
export async function refuseOverUnknown({ system, address }: ProtocolRequest): Promise<void> {
  const allowance = await store.counted(system, sha256(unknownBucket(address)), UNKNOWN_PER_MINUTE)
  if (allowance && allowance.used >= allowance.limit) throw tooMany(allowance.secondsLeft)
}

/** Hosts of osquery ask every five minutes what they should send. */
const ADDRESS_KNOWN_FOR_S = 3_600

const addressBucket = (address: string): Buffer => sha256(`address of a host ${countedAddress(address)}`)

/** A host has shown its key, or was given one. */
export const noteAddress = ({ system, address }: ProtocolRequest): Promise<void> =>
  store.keep(system, addressBucket(address), ADDRESS_KNOWN_FOR_S)

/** Whether that was within half an hour at least, at any node. */
export const isAddressOfHost = async ({ system, address }: ProtocolRequest): Promise<boolean> =>
  (await store.counted(system, addressBucket(address), 1)) !== undefined

/** Undefined when the token may be used. */
function reasonAgainst(
  { kind, isRevoked, isExpired, networks }: store.TokenHolder,
  purpose: 'agent' | 'dropin',
  address: string,
): string | undefined {
  if (isRevoked) return 'was revoked'
  if (isExpired) return 'has expired'
  if (kind !== purpose && kind !== 'both') return 'is for agents of another kind'
  return isFrom(networks, address) ? undefined : `is not taken from ${address}`
}

async function contextOf(request: ProtocolRequest, holder: store.TokenHolder): Promise<TokenContext> {
  await countUse(request, holder)
  return contextFor(request, holder)
}

async function countUse({ system }: ProtocolRequest, holder: store.TokenHolder): Promise<void> {
  await refuseOver(system, `enrolment token ${holder.id}`, REQUESTS_PER_MINUTE)
  if (holder.isUseDue) await store.touch(system, holder)
}

function contextFor(request: ProtocolRequest, holder: store.TokenHolder): TokenContext {
  const may = (permission: string): boolean => MAY.has(permission)
  const { id: tokenId, tags, needsApproval } = holder
  const actor = { kind: 'system', id: `enrolment token ${tokenId}`, address: request.address, may } as const
  return { ctx: request.contextFor(holder.tenantId, actor), tokenId, tags, needsApproval }
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
