import { randomUUID } from 'node:crypto'
import { record } from '#features/audit/audit.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { conflict } from '#platform/errors.ts'
import { newSecret } from '#platform/secrets/random-keys.ts'
import { sealHeaders, sealSecret } from './secret-encryption.ts'
import type { CustomHeaders } from './custom-headers.ts'
import { parseReceiverUrl, refuseUnreachable } from './receiver-url.ts'
import {
  parseChanges,
  parseSecret,
  type Endpoint,
  type EndpointFields,
  type NewEndpoint,
  type SecretLength,
} from './endpoint.ts'
import * as store from './endpoint-store.ts'

/** The secret is in the answer of what makes an endpoint or rotates its secret, and never again. */
export interface EndpointWithSecret {
  readonly endpoint: Endpoint
  readonly secret: string
}

export interface AddingRules {
  /** The partner that it is for; the tenant itself unless given. */
  readonly partnerId?: string
  readonly secretLength?: SecretLength
  readonly max: number
  /** The message of the refusal when there are `max`. */
  readonly tooMany: string
  /** The first step of the transaction. */
  readonly first?: (ctx: Ctx) => Promise<unknown>
}

/** Checks everything, the receiver's name in DNS included, and stores the endpoint. Throws 400 by field, or 409. */
export async function addEndpoint(
  ctx: Ctx,
  input: NewEndpoint,
  { partnerId, secretLength, max, tooMany, first }: AddingRules,
): Promise<EndpointWithSecret> {
  const { headers = {}, ...changes } = parseChanges(input)
  const url = parseReceiverUrl(input.url)
  const secret = input.secret === undefined ? newSecret() : parseSecret(input.secret, secretLength)
  await refuseUnreachable(ctx, url)
  const fields: EndpointFields = { ...DEFAULTS, ...changes, url: url.href }
  return atomically(ctx, async (ctx) => {
    await first?.(ctx)
    if ((await store.countEndpoints(ctx, partnerId)) >= max) throw conflict(tooMany)
    const id = randomUUID()
    const endpoint = await store.addEndpoint(ctx, id, fields, {
      secret: sealedSecret(ctx, id, secret),
      headers: sealedHeaders(ctx, id, headers),
      ...(partnerId !== undefined && { owner: partnerId }),
    })
    // of headers only the names
    const details = { ...fields, headers: Object.keys(headers), ...(partnerId && { partnerId }) }
    await record(ctx, 'webhook.created', { type: 'webhook', id }, details)
    return { endpoint, secret }
  })
}

const DEFAULTS = {
  name: '',
  events: [],
  active: true,
  maxInFlight: null,
  maxRate: null,
  autoDisableDays: null,
} as const

export const sealedSecret = (ctx: Ctx, id: string, secret: string): store.SealedSecret => ({
  sealed: sealSecret(ctx, id, secret),
  prefix: shownPartOf(secret),
})

export const sealedHeaders = (ctx: Ctx, id: string, headers: CustomHeaders): store.SealedHeaders => ({
  sealed: sealHeaders(ctx, id, headers),
  names: Object.keys(headers),
})

const SHOWN_MAX = 8

/** The beginning of a secret, by which people recognise it: at most 8 characters and a quarter of it. */
const shownPartOf = (secret: string): string =>
  secret.slice(0, Math.min(SHOWN_MAX, Math.floor(secret.length / 4)))
