import {
  publicKeyIn,
  readSignature,
  refuseOver,
  verifyDigest,
  verifySignature,
} from '#features/agents/agents.ts'
import type { Actor, Ctx } from '#platform/context.ts'
import { invalidBody, Refusal } from '#platform/errors.ts'
import { countedAddress } from '#platform/http/client-address.ts'
import type { ProtocolRequest } from '#platform/protocols/protocol-routes.ts'
import * as keys from '../collector-key-store.ts'

const TAG = 'rollcall-collector-1'
/** Of one collector: it asks for work all the time, and each scan sends its observations and questions. */
const REQUESTS_PER_MINUTE = 6_000
/** From one address with keys or secrets that are not known. */
const UNKNOWN_PER_MINUTE = 100
/** Of somebody who has shown nothing yet: a secret and two keys. */
const ENROLMENT_BYTES_MAX = 16_384

export type Body = Readonly<Record<string, unknown>>

/** A request of an enrolled collector. `ctx` is bound to its tenant. */
export interface CollectorRequest {
  readonly ctx: Ctx
  readonly collectorId: string
  readonly body: Body
  readonly address: string
}

/**
 * Refusals, in this order: 400 `signature_profile`, 401 `unknown_key`, 401 `signature` or `clock`, 403 `revoked`, 429, 400
 * `digest`, 409 `replayed` with the counter that was seen.
 */
export async function authenticateCollector(
  request: ProtocolRequest,
  bytesMax: number,
): Promise<CollectorRequest> {
  const { system, address } = request
  const signed = signatureOf(request)
  const key = await keys.keyOf(system, signed.keyId)
  if (!key) {
    await refuseUnknown(request)
    await request.refuseMoved(signed.keyId)
    throw new Refusal(401, 'unknown_key', 'no collector has this key: enrol again')
  }
  verifySignature(signed, key.publicKey, system.now())
  if (key.isRevoked) throw new Refusal(403, 'revoked', 'the collector was revoked')
  await refuseOver(system, `collector ${key.collectorId}`, REQUESTS_PER_MINUTE)
  const body = await bodyOf(request, bytesMax, (packed) => verifyDigest(signed, packed))
  const ctx = request.contextFor(key.tenantId, actorOf(key.collectorId, address))
  if (!(await keys.takeCounter(ctx, key.keyId, signed.counter))) {
    const counter = (await keys.keyOf(system, key.keyId))?.counter ?? key.counter
    throw new Refusal(409, 'replayed', 'nonce: must be greater than in every request before', {
      body: { counter },
    })
  }
  return { ctx, collectorId: key.collectorId, body, address }
}

/** A request by the holder of a key that may not be known yet: signed by the key that its body names. */
export async function authenticateNewKey(request: ProtocolRequest) {
  const signed = signatureOf(request)
  const body = await bodyOf(request, ENROLMENT_BYTES_MAX, (packed) => verifyDigest(signed, packed))
  const publicKey = publicKeyIn(body['public_key'], signed.keyId)
  if (!publicKey) throw new Refusal(400, 'signature_profile', 'public_key: is not the key that keyid names')
  verifySignature(signed, publicKey, request.system.now())
  return { body, publicKey, keyId: signed.keyId, counter: signed.counter }
}

/** Throws 429 for an address from which too much came that nobody knows. */
export const refuseUnknown = ({ system, address }: ProtocolRequest): Promise<void> =>
  refuseOver(system, `unknown collector ${countedAddress(address)}`, UNKNOWN_PER_MINUTE)

export const actorOf = (collectorId: string, address: string): Actor => ({
  kind: 'system',
  id: `collector ${collectorId}`,
  address,
  // what it says goes to the scan that gave it the work, and that acts as whoever started it
  may: () => false,
})

function signatureOf({ method, params, query, headers }: ProtocolRequest) {
  const path = `/collector/v1/${params['call'] ?? ''}`
  return readSignature({ method, path, hasQuery: query.size > 0, headers }, TAG)
}

async function bodyOf(
  request: ProtocolRequest,
  bytesMax: number,
  onPacked: (packed: Buffer) => void,
): Promise<Body> {
  const bytes = await request.body(bytesMax, onPacked)
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Body
  } catch {
    // said below
  }
  throw invalidBody('body: is no JSON object')
}
