import type { Ctx } from '#platform/context.ts'
import { invalidBody, Refusal, tooLarge } from '#platform/errors.ts'
import { countedAddress } from '#platform/http/client-address.ts'
import type { ProtocolRequest } from '#platform/protocols/protocol-routes.ts'
import { refuseOver } from '../tokens/token-authentication.ts'
import * as store from './agent-key-store.ts'
import { openKeyLookups } from './key-lookups.ts'
import { openRequestCounts } from './request-counts.ts'
import { REVOKED } from './revoked.ts'
import { fieldsOf, type Fields } from './section-values.ts'
import { publicKeyIn, readSignature, verifyDigest, verifySignature, type SignedRequest } from './signature.ts'

/** Limit for one agent at one process; an agent that reports every 15 minutes needs two or three at a time. */
const REQUESTS_PER_MINUTE = 30
/** Limit for requests with unknown keys from one address. */
const UNKNOWN_PER_MINUTE = 100
const PACKED_BYTES_MAX = 4 * 1_048_576
const BODY_BYTES_MAX = 32 * 1_048_576
/** Length of the body of somebody not yet authenticated: a token, a key, the parts of a fingerprint. */
const ENROLMENT_BYTES_MAX = 65_536

/** A request of an enrolled agent. `ctx` is bound to its tenant. */
export interface AgentRequest {
  readonly ctx: Ctx
  readonly key: store.AgentKey
  readonly body: Fields
  readonly address: string
}

/**
 * Refusals, in this order: 400 `signature_profile`, 401 `unknown_key`, 401 `signature` or `clock`, 403 `revoked`, 429, 400
 * `digest`, 409 `replayed` with the counter that was seen.
 */
export async function authenticateAgent(request: ProtocolRequest): Promise<AgentRequest> {
  const asked = await identifyAgent(request)
  if (!(await store.takeCounter(asked.ctx, asked.key.keyId, asked.counter))) throw await counterRefused(asked)
  return asked
}

export interface IdentifiedRequest extends AgentRequest {
  readonly counter: number
}

/** As `authenticateAgent`, but for the counter, which has to be taken before anything else is done. */
export async function identifyAgent(request: ProtocolRequest): Promise<IdentifiedRequest> {
  const signed = signatureOf(request)
  const { system, address } = request
  const lookups = await request.once('keys of agents', async () => openKeyLookups())
  const key = await lookups.keyOf(system, signed.keyId)
  if (!key) {
    await refuseOver(system, `unknown agent key ${countedAddress(address)}`, UNKNOWN_PER_MINUTE)
    await request.refuseMoved(signed.keyId)
    throw new Refusal(401, 'unknown_key', 'no agent has this key: enrol again')
  }
  verifySignature(signed, key.publicKey, system.now())
  if (key.isRevoked) throw new Refusal(403, 'revoked', REVOKED)
  const counts = await request.once('requests of agents', async () => openRequestCounts())
  counts.refuseOver(signed.keyId.toString('hex'), REQUESTS_PER_MINUTE, system.now())
  const body = await bodyOf(request, signed)
  const actor = { kind: 'system', id: `agent ${key.agentId}`, address, may } as const
  const ctx = request.contextFor(key.tenantId, actor)
  return { ctx, key, body, address, counter: signed.counter }
}

/** Why the counter of a request could not be taken. */
export async function counterRefused({ ctx, key }: IdentifiedRequest): Promise<Refusal> {
  const now = await store.ownKey(ctx, key.keyId)
  if (now?.isRevoked) return new Refusal(403, 'revoked', REVOKED)
  return new Refusal(409, 'replayed', 'nonce: must be greater than in every request before', {
    body: { counter: now?.counter ?? key.counter },
  })
}

const may = (permission: string): boolean => permission === 'assets:write' || permission === 'assets:read'

/** A request by the holder of a key that is not known yet: it must be signed by the key that its body names. */
export async function authenticateNewKey(request: ProtocolRequest) {
  const signed = signatureOf(request)
  await refuseOver(request.system, `enrolling ${countedAddress(request.address)}`, ENROLLING_PER_MINUTE)
  const body = await bodyOf(request, signed, ENROLMENT_BYTES_MAX)
  const publicKey = publicKeyIn(body['public_key'], signed.keyId)
  if (!publicKey) throw new Refusal(400, 'signature_profile', 'public_key: is not the key that keyid names')
  verifySignature(signed, publicKey, request.system.now())
  return { body, publicKey, keyId: signed.keyId, counter: signed.counter }
}

/** A whole site may enrol from behind one address. */
const ENROLLING_PER_MINUTE = 600

function signatureOf({ method, params, query, headers }: ProtocolRequest): SignedRequest {
  const { call, version = '', platform = '' } = params
  const path = `/agent/v1/${call ?? `update/${version}/${platform}`}`
  return readSignature({ method, path, hasQuery: query.size > 0, headers })
}

async function bodyOf(
  request: ProtocolRequest,
  signed: SignedRequest,
  bytesMax = BODY_BYTES_MAX,
): Promise<Fields> {
  const bytes = await request.body(bytesMax, (packed) => {
    if (packed.length > PACKED_BYTES_MAX) throw tooLarge(PACKED_BYTES_MAX)
    verifyDigest(signed, packed)
  })
  if (request.method === 'GET' && bytes.length === 0) return {}
  try {
    return fieldsOf(JSON.parse(bytes.toString('utf8')))
  } catch {
    throw invalidBody('body: is not JSON')
  }
}
